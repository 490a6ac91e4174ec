package when

import (
	"strings"
	"time"
)

// Locale is what a browser's first language says about clocks and weeks. The words are English
// everywhere.
type Locale struct {
	Twelve bool         // 2:30 pm instead of 14:30
	First  time.Weekday // of the week
}

// From CLDR's timeData and weekData: who counts hours to twelve, and whose week does not start on
// Monday. A language without a region stands for the region where most of its speakers live.
const (
	twelveHourRegions = " AE AG AU BB BD BH BM BS BZ CA CO CY DJ DM DO DZ EG ER FJ GD GH GM GR GU GY HK IN IQ JM " +
		"JO KI KN KR KW KY LB LC LR LY MH MO MP MR MW MX MY NA NZ OM PA PG PH PK PR PS QA SA SB SD SG SL SO SS SV SY " +
		"SZ TC TD TN TO TT TW US UM VC VE VG VI VU WS YE ZM "
	twelveHourLanguages = " en ar bn el fil gu hi kn ko ml mr ms pa ta te ur "
	sundayRegions       = " AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO " +
		"MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW "
	sundayLanguages   = " en bn fil gu he hi id ja kn ko km lo ml mr my ne pa pt ta te th ur "
	saturdayRegions   = " AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY "
	saturdayLanguages = " ar fa ps "
)

// LocaleOf reads an Accept-Language header. Browsers put the language that is preferred first.
func LocaleOf(header string) Locale {
	tag, _, _ := strings.Cut(header, ",")
	tag, _, _ = strings.Cut(tag, ";")
	language, region := split(strings.TrimSpace(tag))
	if language == "" {
		return Locale{First: time.Monday}
	}
	is := func(regions, languages string) bool {
		if region != "" {
			return strings.Contains(regions, " "+region+" ")
		}
		return strings.Contains(languages, " "+language+" ")
	}
	l := Locale{First: time.Monday, Twelve: is(twelveHourRegions, twelveHourLanguages)}
	if language == "fr" { // in Canada, too
		l.Twelve = false
	}
	switch {
	case is(sundayRegions, sundayLanguages):
		l.First = time.Sunday
	case is(saturdayRegions, saturdayLanguages):
		l.First = time.Saturday
	}
	return l
}

// split finds language and region in a tag such as zh-Hant-TW.
func split(tag string) (language, region string) {
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
