package zone

import (
	"slices"
	"strings"
)

// isOffered reports whether a zone's own name helps people choose. It is false for offsets (Etc/GMT+5),
// abbreviations (EST5EDT), the old lists by country (US/Pacific) and former names.
func isOffered(zone string) bool {
	area, _, _ := strings.Cut(zone, "/")
	switch area {
	case "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific":
		return !slices.Contains(formerNames, zone)
	}
	return false
}

// formerNames are links in the tz database that do not appear in its zone.tab. They are listed here because the
// compiled database does not distinguish links from zones. Those that people type as cities are in
// more_cities.txt.
var formerNames = strings.Fields(`
	Africa/Asmera Africa/Timbuktu
	America/Argentina/ComodRivadavia America/Atka America/Buenos_Aires America/Catamarca America/Coral_Harbour America/Cordoba
	America/Ensenada America/Fort_Wayne America/Godthab America/Indianapolis America/Jujuy America/Knox_IN America/Louisville
	America/Mendoza America/Montreal America/Nipigon America/Pangnirtung America/Porto_Acre America/Rainy_River America/Rosario
	America/Santa_Isabel America/Shiprock America/Thunder_Bay America/Virgin America/Yellowknife
	Antarctica/South_Pole
	Asia/Ashkhabad Asia/Calcutta Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Dacca Asia/Harbin Asia/Istanbul Asia/Kashgar
	Asia/Katmandu Asia/Macao Asia/Rangoon Asia/Saigon Asia/Tel_Aviv Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator
	Atlantic/Faeroe Atlantic/Jan_Mayen
	Australia/ACT Australia/Canberra Australia/Currie Australia/LHI Australia/NSW Australia/North Australia/Queensland
	Australia/South Australia/Tasmania Australia/Victoria Australia/West Australia/Yancowinna
	Europe/Belfast Europe/Kiev Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye
	Pacific/Enderbury Pacific/Johnston Pacific/Ponape Pacific/Samoa Pacific/Truk Pacific/Yap
`)

// CurrentName returns the current name of a zone for which browsers or lists of cities still use a former name:
// Chromium reports Asia/Calcutta. It returns other names unchanged.
func CurrentName(name string) string {
	if now, ok := presentNames[name]; ok {
		return now
	}
	return name
}

var presentNames = map[string]string{
	"Africa/Asmera": "Africa/Asmara", "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
	"America/Catamarca":     "America/Argentina/Catamarca",
	"America/Coral_Harbour": "America/Atikokan", "America/Cordoba": "America/Argentina/Cordoba",
	"America/Godthab":      "America/Nuuk",
	"America/Indianapolis": "America/Indiana/Indianapolis", "America/Jujuy": "America/Argentina/Jujuy",
	"America/Louisville": "America/Kentucky/Louisville",
	"America/Mendoza":    "America/Argentina/Mendoza", "Asia/Calcutta": "Asia/Kolkata",
	"Asia/Katmandu": "Asia/Kathmandu", "Asia/Rangoon": "Asia/Yangon",
	"Asia/Saigon": "Asia/Ho_Chi_Minh", "Atlantic/Faeroe": "Atlantic/Faroe", "Europe/Kiev": "Europe/Kyiv",
	"America/Thunder_Bay": "America/Toronto", "America/Yellowknife": "America/Edmonton",
	"Asia/Choibalsan": "Asia/Ulaanbaatar", "Europe/Uzhgorod": "Europe/Kyiv", "Europe/Zaporozhye": "Europe/Kyiv",
	"Pacific/Enderbury": "Pacific/Kanton",
	"Pacific/Ponape":    "Pacific/Pohnpei", "Pacific/Truk": "Pacific/Chuuk",
}
