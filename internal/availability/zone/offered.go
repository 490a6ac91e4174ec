package zone

import (
	"slices"
	"strings"
)

// isOffered is false for zones whose own name helps nobody choose: offsets (Etc/GMT+5),
// abbreviations (EST5EDT), countries' old lists (US/Pacific) and former names.
func isOffered(zone string) bool {
	area, _, _ := strings.Cut(zone, "/")
	switch area {
	case "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific":
		return !slices.Contains(formerNames, zone)
	}
	return false
}

// formerNames are links in the tz database: in its zone.tab they do not appear. The compiled
// database does not tell a link from a zone. Cities among them that people type are in cities.txt.
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

// Present is the name of today for a zone that browsers still call by a former one: Chromium says
// Asia/Calcutta. Other names stay as they are.
func Present(name string) string {
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
	"Pacific/Enderbury": "Pacific/Kanton",
	"Pacific/Ponape":    "Pacific/Pohnpei", "Pacific/Truk": "Pacific/Chuuk",
}
