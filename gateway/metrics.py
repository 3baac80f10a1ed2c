"""What a server counts, as Prometheus reads it."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from engine.engine import Engine
from gateway import __version__
from gateway.cache import PhraseCache
from gateway.counts import MADE, Counts, Spread

TIERS = ("memory", "redis", "joined")


class Metrics(Collector):
    """The state of a server's parts at the time it is asked; counting costs nothing else. Event-loop thread only."""

    def __init__(self, engine: Engine, cache: PhraseCache, counts: Counts) -> None:
        self._engine, self._cache, self._counts = engine, cache, counts
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def exposition(self, accept: str) -> tuple[bytes, str]:
        """Everything, in the format that an `accept` header asks for, and its content type."""
        encode, kind = choose_encoder(accept)
        return encode(self._registry), kind

    def describe(self) -> list[Metric]:
        """Nothing, so that registering asks for no values."""
        return []

    def collect(self) -> Iterator[Metric]:
        yield from self._server()
        yield from self._speech()
        yield from self._phrases()
        if self._cache.redis_state != "off":
            yield from self._redis()

    def _server(self) -> Iterator[Metric]:
        counts = self._counts
        info = GaugeMetricFamily("onset_info", "Always 1; its label is the version.", labels=["version"])
        info.add_metric([__version__], 1)
        yield info
        yield _gauge("onset_ready", "1 when every voice is warm.", self._engine.ready)
        yield _gauge("onset_connections_open", "Sockets open now.", counts.connections_open)
        yield _counter("onset_connections", "Sockets since the start.", counts.connections)
        yield _gauge("onset_contexts_open", "Contexts being spoken now.", counts.contexts_open)
        yield _counter("onset_contexts", "Contexts that were begun.", counts.contexts)
        yield _gauge("onset_engine_queue", "Sentences in the engine, waiting or being made.", self._engine.queued)
        errors = CounterMetricFamily("onset_errors", "Errors told to clients, by code.", labels=["code"])
        for code, count in {"overloaded": 0, **counts.errors}.items():
            errors.add_metric([code], count)
        yield errors
        lag = HistogramMetricFamily("onset_loop_lag_seconds", "How late the event loop is.")
        lag.add_metric([], *_parts(counts.lag))
        yield lag

    def _speech(self) -> Iterator[Metric]:
        counts = self._counts
        sentences = CounterMetricFamily(
            "onset_sentences", "Sentences begun, by the source of sound.", labels=["source"]
        )
        for source in (MADE, *TIERS):
            sentences.add_metric([source], counts.sentences[source])
        yield sentences
        what = "From a context's first text to its first sound, by pace."
        first = HistogramMetricFamily("onset_first_audio_seconds", what, labels=["pace"])
        for pace, spread in counts.first_audio.items():
            first.add_metric([pace.value], *_parts(spread))
        yield first
        yield _counter("onset_audio_seconds", "Sound of contexts that have ended.", counts.audio_s)
        yield _counter(
            "onset_underruns", "Times that listeners ran dry, of contexts that have ended.", counts.underruns
        )

    def _phrases(self) -> Iterator[Metric]:
        stats = self._cache.stats
        hits = CounterMetricFamily("onset_cache_hits", "Phrases found, by tier.", labels=["tier"])
        hits.add_metric(["memory"], stats.memory_hits)
        hits.add_metric(["redis"], stats.redis_hits)
        yield hits
        yield _counter("onset_cache_misses", "Phrases found in no tier.", stats.misses)
        yield _counter("onset_cache_joins", "Sentences heard while they were made for another.", stats.joins)
        yield _counter("onset_cache_not_stored", "Phrases empty or too long to be kept.", stats.not_stored)
        yield _gauge("onset_cache_memory_bytes", "Held in memory.", stats.memory_bytes)
        yield _gauge("onset_cache_memory_limit_bytes", "That may be held.", self._cache.max_bytes)

    def _redis(self) -> Iterator[Metric]:
        stats = self._cache.stats
        yield _gauge("onset_redis_up", "1 while Redis is asked and answers.", self._cache.redis_state == "ok")
        yield _gauge("onset_redis_breaker_open", "1 while Redis is not asked.", self._cache.breaker == "open")
        lookups = HistogramMetricFamily("onset_redis_lookup_seconds", "Lookups in Redis, found or not.")
        lookups.add_metric([], *_parts(stats.lookups))
        yield lookups
        yield _counter("onset_redis_timeouts", "Lookups without an answer in time.", stats.redis_timeouts)
        yield _counter("onset_redis_errors", "Commands that failed.", stats.redis_errors)
        yield _counter("onset_redis_refused", "Entries that were wrong, and deleted.", stats.redis_refused)
        yield _counter("onset_redis_writes", "Phrases that Redis took.", stats.redis_writes)
        yield _counter("onset_redis_drops", "Phrases that Redis did not get or take.", stats.redis_dropped)


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(name, what, value=float(value))


def _counter(name: str, what: str, value: float) -> Metric:
    return CounterMetricFamily(name, what, value=value)


def _parts(spread: Spread) -> tuple[list[tuple[str, float]], float]:
    """A histogram's buckets and sum, as Prometheus has them."""
    bounds = [*map(str, spread.bounds), "+Inf"]
    return list(zip(bounds, map(float, spread.up_to()), strict=True)), spread.total_s
