package when

import (
	"strings"
	"testing"
	"time"
)

// The expected values are CLDR's for the region, or for the region where most of a language's speakers live.
func TestLocale_ClockAndWeek(t *testing.T) {
	const sunday, monday, saturday = time.Sunday, time.Monday, time.Saturday
	for header, want := range map[string]Locale{
		"en-US": {true, sunday}, "en": {true, sunday}, "en-GB": {false, monday}, "en-IE": {false, monday},
		"en-AU": {true, monday},
		"en-NZ": {true, monday}, "en-CA": {true, sunday}, "fr-CA": {false, sunday}, "fr": {false, monday},
		"fr-FR": {false, monday},
		"en-IN": {true, sunday}, "hi": {true, sunday}, "bn-BD": {true, sunday}, "ja": {false, sunday},
		"ja-JP": {false, sunday},
		"ko-KR": {true, sunday}, "ko": {true, sunday}, "zh-CN": {false, monday}, "zh-Hant-TW": {true, sunday},
		"zh-HK": {true, sunday},
		"ar":    {true, saturday}, "ar-EG": {true, saturday}, "ar-SA": {true, sunday}, "ar-MA": {false, monday},
		"fa": {false, saturday}, "fa-IR": {false, saturday},
		"he": {false, sunday}, "he-IL": {false, sunday}, "pt-BR": {false, sunday}, "pt-PT": {false, sunday},
		"es-ES": {false, monday}, "es-CO": {true, sunday},
		"de": {false, monday}, "de-AT": {false, monday}, "sv-SE": {false, monday}, "da": {false, monday},
		"tr": {false, monday}, "ru-RU": {false, monday},
		"el-GR": {true, monday}, "th-TH": {false, sunday}, "en-ZA": {false, sunday}, "ms-MY": {true, monday},
		"vi": {false, monday}, "sr-Latn-RS": {false, monday},
		"de-DE,de;q=0.9,en-US;q=0.8": {false, monday}, "en-US;q=0.5, de": {true, sunday}, " en-us ": {true, sunday},
		"EN-gb": {false, monday}, "en-US,*": {true, sunday},
		"": {false, monday}, "*": {false, monday}, ",en": {false, monday}, "-US": {false, monday},
		"xx": {false, monday}, "en US": {false, monday}, ";;;": {false, monday},
		"tlh-US": {true, sunday}, strings.Repeat("en-", 1000): {false, monday}, "<script>": {false, monday},
		"\x00": {false, monday},
	} {
		if got := LocaleOf(header); got != want {
			t.Errorf("%.40q: %+v, want %+v", header, got, want)
		}
	}
}
