"""
Layouts of license plates by region: proportions, colours, lines and their letters.

Most labelled photos show one line of Latin letters. Plates of other regions are drawn from these layouts (`draw.py`).
The layouts follow the published look of each region's plates only as far as a detector can see it.
"""

from dataclasses import dataclass

DIGITS = "0123456789"
LATIN = "ABCDEFGHJKLMNPRSTUVWXYZ"
ARABIC_DIGITS, PERSIAN_DIGITS = "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹"
ARABIC, PERSIAN = "ابحدرسصطعقكلمنهوى", "بجدسصطقلمنوهی"
CYRILLIC = "АВЕКМНОРСТУХ"
DEVANAGARI, DEVANAGARI_DIGITS = "कखगघचजपबमरलसह", "०१२३४५६७८९"
BENGALI, BENGALI_DIGITS = "কখগঘচছজটঠডতথ", "০১২৩৪৫৬৭৮৯"
THAI = "กขคงจฉชฌญฎฐณดตธนบผพภมยรลวศสษฬอฮ"
KHMER, LAO = "កខគឃងចឆជឈ", "ກຂຄງຈຊຍດຕຖທ"
CHINESE = "京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"
JAPANESE_PLACES = ("品川", "横浜", "大阪", "名古屋", "札幌", "福岡", "神戸", "京都", "仙台", "湘南")
HIRAGANA = "あいうえかきくけこさすせそたちつてとなにぬねのはひふほまみむめもやゆよらりるれろ"
KOREAN = "가나다라마거너더러머버서어저고노도로모보소오조구누두루무부수우주"

WHITE, YELLOW, BLACK, BLUE, GREEN, RED = (
    (240, 240, 236),
    (244, 200, 30),
    (20, 20, 22),
    (20, 60, 160),
    (20, 110, 60),
    (190, 30, 40),
)
ORANGE, GREY, SKY = (240, 140, 40), (190, 195, 195), (90, 170, 220)


@dataclass(frozen=True)
class Layout:
    """
    `lines`: from top to bottom, each a template and a relative height. In a template `0` and `A` are a digit and a
    letter of the region, `9` and `L` Latin ones, `J` is a place in Japan, and `|` a gap; any other character is drawn.
    `bands`: coloured parts, each a side (`left`, `right`, `top`, `bottom`), a share of that side, a colour and a text.
    """

    region: str
    aspect: tuple[float, float]
    lines: tuple[tuple[str, float], ...]
    colours: tuple[tuple[tuple, tuple], ...] = ((BLACK, WHITE),)
    letters: str = LATIN
    digits: str = DIGITS
    fonts: str = "latin"
    bands: tuple[tuple[str, float, tuple, str], ...] = ()


def one(template: str) -> tuple[tuple[str, float], ...]:
    return ((template, 1.0),)


EUROPE = (("left", 0.1, BLUE, ""),)
COMMON = ((BLACK, WHITE), (BLACK, YELLOW))
LAYOUTS = (
    Layout("Europe", (4.4, 4.9), one("LL|999|LL"), COMMON, bands=EUROPE),
    Layout("Europe, two lines", (1.35, 1.7), (("LL 9", 1), ("9999", 1)), COMMON, bands=EUROPE),
    Layout("Europe, motorcycle", (0.95, 1.3), (("LL 9", 1), ("9999", 1)), COMMON),
    Layout("Italy, motorcycle", (0.9, 1.1), (("LL", 1), ("99999", 1)), bands=EUROPE),
    Layout("diplomatic", (3.5, 4.7), one("99|LL|999"), ((WHITE, BLUE), (WHITE, RED), (WHITE, GREEN), (ORANGE, BLACK))),
    Layout("North America", (1.9, 2.1), one("LLL 9999"), ((BLUE, WHITE), (BLACK, SKY), (RED, WHITE), (BLACK, ORANGE)),
           bands=(("top", 0.22, WHITE, "LLLLLLL"), ("bottom", 0.18, WHITE, "LLLL LLLLL"))),
    Layout("North America, motorcycle", (1.6, 1.85), one("99L99"), ((BLUE, WHITE), (BLACK, YELLOW)),
           bands=(("top", 0.25, WHITE, "LLLLLL"),)),
    Layout("Brazil, motorcycle", (1.1, 1.25), (("LLL", 1), ("9L99", 1)), bands=(("top", 0.18, BLUE, "LLLLLL"),)),
    Layout("Mercosur", (2.9, 3.2), one("LLL9L99"), bands=(("top", 0.22, BLUE, "LLLLLL"),)),
    Layout("Egypt", (1.9, 2.2), one("0000|AAA"), ((BLACK, WHITE),), ARABIC, ARABIC_DIGITS, "arabic",
           (("top", 0.3, SKY, "LLLLL مصر"),)),
    Layout("Arab world, two lines", (0.8, 1.15), (("AAA", 1), ("0000", 1)), COMMON, ARABIC, ARABIC_DIGITS, "arabic",
           (("top", 0.24, BLUE, "LLLL"),)),
    Layout("Saudi Arabia", (1.9, 2.3), (("0000|AAA", 1), ("9999|LLL", 1)), ((BLACK, WHITE), (BLACK, YELLOW)), ARABIC,
           ARABIC_DIGITS, "arabic", (("right", 0.12, WHITE, ""),)),
    Layout("Emirates", (4.2, 4.8), one("99999"), bands=(("left", 0.25, WHITE, "L"),)),
    Layout("Maghreb", (4.2, 4.8), one("99999|A|99"), ((BLACK, WHITE), (WHITE, BLACK)), ARABIC, DIGITS, "arabic"),
    Layout("Iran", (4.3, 4.8), one("00A000|00"), ((BLACK, WHITE), (BLACK, YELLOW), (WHITE, RED)), PERSIAN,
           PERSIAN_DIGITS, "arabic", EUROPE),
    Layout("Iran, motorcycle", (1.2, 1.5), (("000", 0.8), ("00000", 1)), COMMON, PERSIAN, PERSIAN_DIGITS, "arabic"),
    Layout("India", (4.2, 4.8), one("LL99LL9999"), ((BLACK, WHITE), (BLACK, YELLOW), (WHITE, GREEN), (YELLOW, BLACK))),
    Layout("India, two lines", (1.3, 1.9), (("LL 99 L", 1), ("9999", 1)), COMMON + ((WHITE, GREEN),)),
    Layout("Nepal", (1.2, 1.8), (("AA0A", 1), ("0000", 1)), ((WHITE, RED), (WHITE, BLACK), (RED, WHITE)), DEVANAGARI,
           DEVANAGARI_DIGITS, "devanagari"),
    Layout("Bangladesh", (1.6, 2.2), (("AAAA-A", 0.8), ("00-0000", 1)), ((BLACK, WHITE), (BLACK, GREEN)), BENGALI,
           BENGALI_DIGITS, "bengali"),
    Layout("Thailand", (1.9, 2.3), (("0AA 0000", 1), ("AAAAAAA", 0.45)), COMMON, THAI, DIGITS, "thai"),
    Layout("Thailand, motorcycle", (1.1, 1.35), (("0AA", 0.9), ("AAAAA", 0.5), ("0000", 1)), COMMON, THAI, DIGITS, "thai"),
    Layout("Vietnam", (4.2, 4.7), one("99L-999.99"), ((BLACK, WHITE), (BLACK, YELLOW), (WHITE, BLUE))),
    Layout("Vietnam, motorcycle", (1.25, 1.45), (("99-L9", 1), ("999.99", 1)), ((BLACK, WHITE), (BLACK, YELLOW))),
    Layout("Malaysia, motorcycle", (1.3, 1.9), (("LLL", 1), ("9999", 1)), ((WHITE, BLACK),)),
    Layout("Malaysia", (4.0, 4.8), one("LLL 9999"), ((WHITE, BLACK),)),
    Layout("Indonesia", (2.6, 3.2), (("L 9999 LL", 1), ("99.99", 0.45)), ((WHITE, BLACK), (BLACK, WHITE), (BLACK, YELLOW))),
    Layout("Cambodia", (2.0, 2.4), (("AAAAA", 0.5), ("9L-9999", 1)), ((BLUE, WHITE),), KHMER, DIGITS, "khmer"),
    Layout("Laos", (2.0, 2.5), (("AAAAAAA", 0.45), ("AA 9999", 1)), ((BLACK, YELLOW), (BLUE, WHITE)), LAO, DIGITS, "lao"),
    Layout("China", (3.0, 3.3), one("AL·9L999"), ((WHITE, BLUE), (BLACK, SKY), (BLACK, GREEN), (BLACK, YELLOW), (BLACK, WHITE)), CHINESE,
           DIGITS, "cjk"),
    Layout("China, two lines", (1.5, 2.1), (("A·L", 0.7), ("99L99", 1)), ((BLACK, YELLOW), (WHITE, BLUE)), CHINESE, DIGITS, "cjk"),
    Layout("Japan", (1.9, 2.1), (("J 999", 0.55), ("A 99-99", 1)), ((GREEN, WHITE), (BLACK, YELLOW), (WHITE, GREEN), (YELLOW, BLACK)),
           HIRAGANA, DIGITS, "cjk"),
    Layout("Japan, motorcycle", (1.7, 1.95), (("J", 0.6), ("A 99-99", 1)), ((GREEN, WHITE), (BLACK, WHITE)), HIRAGANA, DIGITS, "cjk"),
    Layout("Korea", (4.3, 4.8), one("99A 9999"), ((BLACK, WHITE), (WHITE, GREEN), (BLACK, YELLOW)), KOREAN, DIGITS, "korean"),
    Layout("Korea, two lines", (1.8, 2.1), (("AA 99", 0.7), ("A 9999", 1)), ((WHITE, GREEN), (BLACK, YELLOW)), KOREAN, DIGITS, "korean"),
    Layout("Taiwan, motorcycle", (1.7, 2.2), one("LLL-9999"), ((BLACK, WHITE), (BLACK, YELLOW), (WHITE, RED))),
    Layout("Russia", (4.4, 4.8), one("A999AA|99"), ((BLACK, WHITE), (BLACK, YELLOW), (WHITE, BLUE)), CYRILLIC, DIGITS, "latin"),
    Layout("Russia, motorcycle", (1.25, 1.45), (("9999", 1), ("AA 99", 0.9)), ((BLACK, WHITE),), CYRILLIC, DIGITS, "latin"),
    Layout("Israel", (4.2, 4.8), one("99-999-99"), ((BLACK, YELLOW),), bands=EUROPE),
    Layout("Georgia", (4.3, 4.8), one("LL-999-LL"), bands=EUROPE),
    Layout("Kenya, two lines", (1.2, 1.6), (("LLLL", 1), ("999L", 1)), ((BLACK, YELLOW), (BLACK, WHITE))),
    Layout("Nigeria", (1.9, 2.1), one("LLL-999LL"), ((BLUE, WHITE),), bands=(("top", 0.2, WHITE, "LLLLL"),)),
)
