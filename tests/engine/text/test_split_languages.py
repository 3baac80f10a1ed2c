"""Sentences of many languages: where a native reader pauses, whole and character by character."""

from __future__ import annotations

import pytest

from engine.text.path import sentences

LANGUAGES = {
    "en": [
        "The U.K. Government met in the E.U.| They agreed.| Washington, D.C. Mayor Bo left.",
        "Send it to P.O. Box 5, attn. Bob.| See op. cit. p. 5, sect. 2 and no. 3.| Ch. XII is long.",
        "It was shown.[1]| Then again.[2, 3]| This holds.²| So what, file.[ch] is two.",
        "Gov. Lee of Calif. Senator Roy met Capt. Kim.| In Jan. we rest.| It was Jan.| We rested.",
        "I read the M.Sc. Thesis of Bo Jr. Smith, approx. 5 pages.| See a.example/b?c=d.| Mail a@b.de.| Go.",
        "He said: “Why?”| She said ‘no.’| Then (well.|  Ok.) fine.",
        "“Stop it!🎉” he cried.| “Why?”🎉| She left.",
        "Wait...what?| Hmm.. fine.| Okay . . .| Next?!| Yes!!!| On.",
        "It is 5 a.m. in Rome.| It is 5 a.m.| We sleep.| At 10.30 we met.| On 12.5.2024 too.| Use 2.0.| Go.",
        "Read a.txt, b.tar.gz and ./c.py.| Host 10.0.7.22.| Pay $1,000.50.| Done.",
    ],
    "de": [
        "Im 19. Jahrhundert war es kalt.| Am 3. Oktober auch.| Vom 2. Stock aus, ggf. auch vom 3. Stock.",
        "Friedrich II. von Preußen kam.| Es kostet 5 Mio. Euro inkl. MwSt. und usw.| Dann nicht.",
        "Hr. Dr. Ing. Maier wohnt in der Bahnhofstr. 5, vgl. Abb. 3 und S. 7.| Um 50 v. Chr. lebte er.",
        "Sie sagte: „Komm!“| Er kam, d. h. fast.| Das war 2019.| Es ging, z.B. so, o.ä. weiter.",
    ],
    "fr": [
        "Le Dr. Martin et M. Dupont arrivent, p. ex. demain.| « Oui. » | Il part.| « Non ! » dit-il.| Fin.",
        "En 50 av. J.-C.| Les gens vivent, cf. chap. 5 et fig. 2, etc. et plus.| Voilà !| Qui ?| Elle.",
    ],
    "es": [
        "El Sr. García vive en EE.UU.| Pero no trabaja.| La pág. 5 dice: ¿Cómo estás?| ¡Bien!| Ud. sabe, etc. y más."
    ],
    "it": ["Il dott. Rossi e la sig.ra Bianchi abitano a Roma, cfr. pag. 5.| Ecco: art. 3, ecc. e basta.| Sì."],
    "pt": ["O Sr. Silva e a Dra. Lima moram na Av. Central, n. 5.| A Profa. Ana também.| Sim."],
    "nl": ["Dhr. de Vries en mevr. Jansen komen, bijv. om 5 uur, d.w.z. laat.| Enz. enz. en zo.| Ja."],
    "sv": ["Vi har t.ex. äpplen, bl.a. röda, kl. 5 osv. i dag.| Ja.| Den 24. december kom han."],
    "pl": ["Mieszka przy ul. Długiej, tzn. tu, np. Jan i prof. Nowak itd. dalej.| Tak.| O godz. 5 wraca."],
    "cs": ["Přišel např. Jan, tj. on, atd. a dál.| Ano.| Dne 3. května."],
    "ru": ["Он жил в г. Москве, на ул. Ленина, д. 5.| Она любит книги и т. д.| Потом ушла.| Т.е. нет."],
    "el": ["Τι κάνεις;| Καλά, π.χ. εδώ.| Ναι."],
    "tr": ["Örn. Prof. Dr. Ali geldi, bkz. sayfa 5.| Evet.| Hayır!"],
    "hi": ["ट्रेन चल पड़ी।| क्या?| हाँ॥| अब चाय।"],
    "ar": ["هل أنت هنا؟| نعم.| حسنا!| ثم ذهب."],
    "ur": ["ہم پہنچ گئے۔| کیا؟| جی۔"],
    "am": ["ወደ ቤት ሄደ።| ለምን፧| መጣ።"],
    "hy": ["Բարև։| Ինչպես ես։| Լավ։"],
    "my": ["သူလာသည်။| သွားသည်။"],
    "km": ["គាត់មក។| គាត់ទៅ។"],
    "th": ["พรุ่งนี้ร้านเปิดเก้าโมง และปิดหกโมงเย็นนะ! |เธอมา"],
    "zh": ["今天3.5度。|明天？|好的……|然後走。|「對。」|他說（真的。）|好吧．|再見"],
    "ja": ["「はい。」|と言った。|本当？！|はい｡|終わり"],
    "ko": ["안녕하세요.| 저는 김입니다.| 반갑습니다!"],
    "mixed": ["请打开 settings 页面。|Then click Save.| 好的。|我用 Python 3.11。|Да? |是的！|Ok"],
}
ROWS = [(language, row) for language, rows in LANGUAGES.items() for row in rows]

FULL = "a line that is so full of words that it was broken for its length alone by"


@pytest.mark.parametrize(("language", "marked"), ROWS)
def test_a_native_reader_would_pause_there(language: str, marked: str) -> None:
    text, wanted = marked.replace("|", ""), [" ".join(unit.replace("🎉", "").split()) for unit in marked.split("|")]
    assert [sentence.text for sentence in sentences([text])] == wanted
    assert sentences(text) == sentences([text])


@pytest.mark.parametrize(
    "marked",
    [
        f"{FULL}\nMary.| And {FULL}\n“Ann” or {FULL}\n$5 or {FULL}\n2019 too.",
        f"{FULL}|\n1. First|\n2) Second|\na) Third",
        f"{FULL}|\n- First|\n• Second|\n# Third",
        f"These are {FULL}:|\nMilk|\nEggs",
        f"Short.| {FULL}\nMary and the\nOld Man, and HIS AND\nHER House|\nThe end",
        f"{FULL}|\n\nMary",
        f"{FULL}\r\nMary|\r\n\r\nAnn",
        f"{FULL} Acme Inc.\nChairman Bo.|\n{FULL}\nMary",
        "今天的天气非常好今天的天气非常好今天的天气非常好今天的天气非常好今天的天气非常好今天的天气非常好今天的天气非常好今天的天气非常好|\n我们走",
        "Title|\n1. Milk|\n2. Eggs and the\nFlour",
    ],
)
def test_a_full_line_goes_on_in_the_next_one(marked: str) -> None:
    text, wanted = marked.replace("|", ""), [" ".join(unit.split()) for unit in marked.split("|")]
    assert [sentence.text for sentence in sentences([text])] == wanted
    assert sentences(text) == sentences([text])


def test_the_length_of_a_line_counts_from_its_beginning() -> None:
    """Also where the blanks before it came alone, or its first sentences have left."""
    text = f"Go.\n \t\n  He saw. {FULL[:52]}\nMary.\n\n"
    wanted = ["Go.", "He saw.", f"{FULL[:52]} Mary."]
    assert [sentence.text for sentence in sentences([text])] == wanted
    assert sentences(text) == sentences([text])
