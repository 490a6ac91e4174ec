package when

import (
	"slices"
	"strings"
	"time"
)

// Locale holds the conventions for clocks and weeks that a browser's first language implies. The words are always
// English.
type Locale struct {
	TwelveHour   bool         // 2:30 pm instead of 14:30
	FirstWeekday time.Weekday // the first day of the week
}

// From CLDR's timeData and weekData: where people use the twelve-hour clock, and where the week does not start on
// Monday. A language without a region stands for the region where most of its speakers live.
var (
	twelveHourRegions = strings.Fields("AE AG AU BB BD BH BM BS BZ CA CO CY DJ DM DO DZ EG ER FJ GD GH GM GR GU GY HK " +
		"IN IQ JM JO KI KN KR KW KY LB LC LR LY MH MO MP MR MW MX MY NA NZ OM PA PG PH PK PR PS QA SA SB SD SG SL SO " +
		"SS SV SY SZ TC TD TN TO TT TW US UM VC VE VG VI VU WS YE ZM")
	twelveHourLanguages = strings.Fields("en ar bn el fil gu hi kn ko ml mr ms pa ta te ur")
	sundayRegions       = strings.Fields("AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA " +
		"MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW")
	sundayLanguages   = strings.Fields("en bn fil gu he hi id ja kn ko km lo ml mr my ne pa pt ta te th ur")
	saturdayRegions   = strings.Fields("AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY")
	saturdayLanguages = strings.Fields("ar fa ps")
)

// LocaleOf returns the locale for an Accept-Language header. Browsers list the preferred language first.
func LocaleOf(header string) Locale {
	tag, _, _ := strings.Cut(header, ",")
	tag, _, _ = strings.Cut(tag, ";")
	language, region := splitTag(strings.TrimSpace(tag))
	if language == "" {
		return Locale{FirstWeekday: time.Monday}
	}
	matches := func(regions, languages []string) bool {
		if region != "" {
			return slices.Contains(regions, region)
		}
		return slices.Contains(languages, language)
	}
	l := Locale{FirstWeekday: time.Monday, TwelveHour: matches(twelveHourRegions, twelveHourLanguages)}
	if language == "fr" { // in Canada too
		l.TwelveHour = false
	}
	switch {
	case matches(sundayRegions, sundayLanguages):
		l.FirstWeekday = time.Sunday
	case matches(saturdayRegions, saturdayLanguages):
		l.FirstWeekday = time.Saturday
	}
	return l
}

// splitTag returns the language and the region of a tag such as zh-Hant-TW.
func splitTag(tag string) (language, region string) {
	for i, part := range strings.Split(tag, "-") {
		switch {
		case len(part) == 0 || len(part) > 8 || strings.Contains(part, " "):
			return "", ""
		case i == 0:
			language = strings.ToLower(part)
		case len(part) == 2:
			region = strings.ToUpper(part)
		}
	}
	return language, region
}
