import EarshotMusic
import TestSupport
import Testing

@Suite("Numbers in keys")
struct SearchNumberTests {
    @Test(
        "Digits, number words and Roman numerals are equal",
        .requirements("R-MR-124"),
        arguments: [
            "1931: Go Out Dancing, Part I", "nineteen thirty one go out dancing part eye",
            "nineteen thirty one go out dancing part one", "1931 go out dancing part 1", "1931 go out dancing part i",
            "Nineteen Thirty-One: Go Out Dancing (Pt. I)", "１９３１ Go Out Dancing Part Ⅰ",
        ]
    )
    func fixture(title: String) {
        #expect(SearchText(title).folded == "1931 go out dancing part 1")
        #expect(SearchText(title).exact == "1931 go out dancing part 1")
    }

    @Test(
        "Number words",
        arguments: [
            ("zero", "0"), ("nineteen", "19"), ("twenty-one", "21"), ("ninety nine", "99"), ("one hundred", "100"),
            ("hundred", "100"), ("one hundred and one", "101"), ("five hundred twelve", "512"),
            ("two thousand one", "2001"),
            ("two thousand and one", "2001"), ("a thousand miles", "a 1000 miles"), ("ten thousand", "10000"),
            ("nine hundred ninety nine thousand nine hundred ninety nine", "999999"),
            ("one hundred and two thousand and three", "102003"), ("5 hundred", "500"),
            ("10 thousand days", "10000 days"),
            ("nineteen hundred", "1900"), ("nineteen hundred ninety nine", "1999"),
            ("one hundred two hundred", "100 200"),
            ("two and two", "2 and 2"), ("one thousand two thousand", "1000 2000"),
        ]
    )
    func words(text: String, key: String) {
        #expect(SearchText(text).exact == key)
    }

    @Test(
        "Years in pairs, and counting",
        arguments: [
            ("nineteen thirty one", "1931"), ("twenty twenty", "2020"), ("twenty twenty one", "2021"),
            ("nineteen oh five", "1905"), ("ten sixty six", "1066"), ("nineteen eighty four", "1984"),
            ("twenty one twelve", "2112"), ("one two three", "1 2 3"), ("ten eleven twelve", "10 11 12"),
            ("twenty nineteen eighteen", "20 19 18"), ("twenty one pilots", "21 pilots"), ("oh my", "oh my"),
        ]
    )
    func years(text: String, key: String) {
        #expect(SearchText(text).exact == key)
    }

    @Test(
        "Roman numerals stand alone and end at XXXIX",
        arguments: [
            ("VIII", "8"), ("eight", "8"), ("Ⅷ", "8"), ("viii", "8"), ("XXXIX", "39"), ("XL", "xl"), ("IIII", "iiii"),
            ("IIX", "iix"), ("VX", "vx"), ("XXXX", "xxxx"), ("Mix", "mix"), ("civic", "civic"), ("mild", "mild"),
            ("I'm", "im"),
            ("I Am", "1 am"), ("Led Zeppelin IV", "led zeppelin 4"), ("xiv", "14"), ("XIX.", "19"), ("vivid", "vivid"),
        ]
    )
    func roman(text: String, key: String) {
        #expect(SearchText(text).exact == key)
    }

    @Test("Every Roman numeral is its number")
    func allRoman() {
        let tens = ["", "x", "xx", "xxx"]
        let units = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
        for value in 1...39 { #expect(SearchText(tens[value / 10] + units[value % 10]).exact == String(value)) }
    }

    @Test(
        "Abbreviations count before a number only, and \"eye\" after a division",
        arguments: [
            ("Pt. 2", "part 2"), ("Vol. Two", "volume 2"), ("Mambo No. 5", "mambo number 5"), ("№5", "number 5"),
            ("No Woman No Cry", "no woman no cry"), ("vol au vent", "vol au vent"), ("pt eye", "part 1"),
            ("Eye of the Tiger", "eye of the tiger"), ("Act Eye", "act 1"), ("vol. eye", "volume 1"),
            ("chapter eye volume eye", "chapter 1 volume 1"), ("no", "no"), ("no eye", "no eye"),
            ("pt first", "pt 1st"),
        ]
    )
    func abbreviations(text: String, key: String) {
        #expect(SearchText(text).exact == key)
    }

    @Test(
        "Ordinals",
        arguments: [
            ("First", "1st"), ("second", "2nd"), ("Third", "3rd"), ("eleventh", "11th"), ("twelfth", "12th"),
            ("twentieth", "20th"), ("twenty-first", "21st"), ("Thirty First of February", "31st of february"),
            ("Forty-Second Street", "42nd street"), ("1st", "1st"),
        ]
    )
    func ordinals(text: String, key: String) {
        #expect(SearchText(text).exact == key)
    }

    @Test("All numbers below a million are equal to their words")
    func spelled() {
        let small = [
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        func words(_ value: Int) -> String {
            switch value {
            case ..<20: small[value]
            case ..<100: tens[value / 10] + (value % 10 == 0 ? "" : "-" + small[value % 10])
            case ..<1000: small[value / 100] + " hundred" + (value % 100 == 0 ? "" : " and " + words(value % 100))
            default: words(value / 1000) + " thousand" + (value % 1000 == 0 ? "" : " " + words(value % 1000))
            }
        }
        property("numbers in words", rounds: 2000) { random in
            let value = Int.random(in: 0..<1_000_000, using: &random)
            return SearchText(words(value)).folded == String(value)
        }
    }
}
