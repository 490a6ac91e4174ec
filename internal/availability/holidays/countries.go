package holidays

import (
	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/ar"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/au"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/bg"
	"github.com/rickar/cal/v2/br"
	"github.com/rickar/cal/v2/ca"
	"github.com/rickar/cal/v2/ch"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/gr"
	"github.com/rickar/cal/v2/hr"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/jp"
	"github.com/rickar/cal/v2/lt"
	"github.com/rickar/cal/v2/lv"
	"github.com/rickar/cal/v2/mw"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/no"
	"github.com/rickar/cal/v2/nz"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/ro"
	"github.com/rickar/cal/v2/ru"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/si"
	"github.com/rickar/cal/v2/sk"
	"github.com/rickar/cal/v2/ua"
	"github.com/rickar/cal/v2/us"
	"github.com/rickar/cal/v2/za"

	"slotd/internal/lib/say"
)

type country struct {
	name     say.Sentence
	holidays []*cal.Holiday
}

// countries holds the countries, followed by the regions of those in which holidays differ by region.
var countries = map[string]country{
	"ar": {"Argentina", ar.Holidays},
	"at": {"Austria", at.Holidays},
	"au": {"Australia", australiaWide},
	"be": {"Belgium", be.Holidays},
	"bg": {"Bulgaria", bg.Holidays},
	"br": {"Brazil", br.Holidays},
	"ca": {"Canada", ca.Holidays},
	"ch": {"Switzerland", ch.Holidays},
	"cz": {"Czechia", cz.Holidays},
	"de": {"Germany", de.Holidays},
	"dk": {"Denmark", dk.Holidays},
	"es": {"Spain", es.Holidays},
	"fr": {"France", fr.Holidays},
	"gb": {"United Kingdom", gb.Holidays},
	"gr": {"Greece", gr.Holidays},
	"hr": {"Croatia", hr.Holidays},
	"ie": {"Ireland", ie.Holidays},
	"it": {"Italy", it.Holidays},
	"jp": {"Japan", jp.Holidays},
	"lt": {"Lithuania", lt.Holidays},
	"lv": {"Latvia", lv.Holidays},
	"mw": {"Malawi", mw.Holidays},
	"nl": {"Netherlands", nl.Holidays},
	"no": {"Norway", no.Holidays},
	"nz": {"New Zealand", nz.Holidays},
	"pl": {"Poland", pl.Holidays},
	"ro": {"Romania", ro.Holidays},
	"ru": {"Russia", ru.Holidays},
	"se": {"Sweden", se.Holidays},
	"si": {"Slovenia", si.Holidays},
	"sk": {"Slovakia", sk.Holidays},
	"ua": {"Ukraine", ua.Holidays},
	"us": {"United States", us.Holidays},
	"za": {"South Africa", za.Holidays},

	"au-act": {"Australia: Australian Capital Territory", au.HolidaysACT},
	"au-nsw": {"Australia: New South Wales", au.HolidaysNSW},
	"au-nt":  {"Australia: Northern Territory", au.HolidaysNT},
	"au-qld": {"Australia: Queensland", au.HolidaysQLD},
	"au-sa":  {"Australia: South Australia", au.HolidaysSA},
	"au-tas": {"Australia: Tasmania", au.HolidaysTAS},
	"au-vic": {"Australia: Victoria", au.HolidaysVIC},
	"au-wa":  {"Australia: Western Australia", au.HolidaysWA},

	"ch-zh": {"Switzerland: Zurich", ch.HolidaysZH},
	"ch-be": {"Switzerland: Bern", ch.HolidaysBE},
	"ch-lu": {"Switzerland: Lucerne", ch.HolidaysLU},
	"ch-ur": {"Switzerland: Uri", ch.HolidaysUR},
	"ch-sz": {"Switzerland: Schwyz", ch.HolidaysSZ},
	"ch-ow": {"Switzerland: Obwalden", ch.HolidaysOW},
	"ch-nw": {"Switzerland: Nidwalden", ch.HolidaysNW},
	"ch-gl": {"Switzerland: Glarus", ch.HolidaysGL},
	"ch-zg": {"Switzerland: Zug", ch.HolidaysZG},
	"ch-fr": {"Switzerland: Fribourg", ch.HolidaysFR},
	"ch-so": {"Switzerland: Solothurn", ch.HolidaysSO},
	"ch-bs": {"Switzerland: Basel-Stadt", ch.HolidaysBS},
	"ch-bl": {"Switzerland: Basel-Landschaft", ch.HolidaysBL},
	"ch-sh": {"Switzerland: Schaffhausen", ch.HolidaysSH},
	"ch-ar": {"Switzerland: Appenzell Ausserrhoden", ch.HolidaysAR},
	"ch-ai": {"Switzerland: Appenzell Innerrhoden", ch.HolidaysAI},
	"ch-sg": {"Switzerland: St. Gallen", ch.HolidaysSG},
	"ch-gr": {"Switzerland: Grisons", ch.HolidaysGR},
	"ch-ag": {"Switzerland: Aargau", ch.HolidaysAG},
	"ch-tg": {"Switzerland: Thurgau", ch.HolidaysTG},
	"ch-vd": {"Switzerland: Vaud", ch.HolidaysVD},
	"ch-ti": {"Switzerland: Ticino", ch.HolidaysTI},
	"ch-vs": {"Switzerland: Valais", ch.HolidaysVS},
	"ch-ne": {"Switzerland: Neuchâtel", ch.HolidaysNE},
	"ch-ge": {"Switzerland: Geneva", ch.HolidaysGE},
	"ch-ju": {"Switzerland: Jura", ch.HolidaysJU},

	"de-bw": {"Germany: Baden-Württemberg", de.HolidaysBW},
	"de-by": {"Germany: Bayern", de.HolidaysBY},
	"de-be": {"Germany: Berlin", de.HolidaysBE},
	"de-bb": {"Germany: Brandenburg", de.HolidaysBB},
	"de-hb": {"Germany: Bremen", de.HolidaysHB},
	"de-hh": {"Germany: Hamburg", de.HolidaysHH},
	"de-he": {"Germany: Hessen", de.HolidaysHE},
	"de-mv": {"Germany: Mecklenburg-Vorpommern", de.HolidaysMV},
	"de-ni": {"Germany: Niedersachsen", de.HolidaysNI},
	"de-nw": {"Germany: Nordrhein-Westfalen", de.HolidaysNW},
	"de-rp": {"Germany: Rheinland-Pfalz", de.HolidaysRP},
	"de-sl": {"Germany: Saarland", de.HolidaysSL},
	"de-sn": {"Germany: Sachsen", de.HolidaysSN},
	"de-st": {"Germany: Sachsen-Anhalt", de.HolidaysST},
	"de-sh": {"Germany: Schleswig-Holstein", de.HolidaysSH},
	"de-th": {"Germany: Thüringen", de.HolidaysTH},
}

// australiaWide are the holidays that all Australian states share. Each state has more of its own.
var australiaWide = []*cal.Holiday{au.NewYear, au.AustraliaDay, au.GoodFriday, au.EasterMonday, au.AnzacDay,
	au.ChristmasDay, au.BoxingDay}
