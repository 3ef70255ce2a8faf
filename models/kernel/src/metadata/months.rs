//! Names of months -> their numbers, in the languages whose visible dates are read.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Words of one name are joined by `_`.
const NAMES: [&str; 49] = [
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie \
     decembrie",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar marts april maj juni juli august september oktober november desember",
    "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta \
     syyskuuta lokakuuta marraskuuta joulukuuta",
    "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
    "sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio \
     gruodžio",
    "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris \
     decembris",
    "január február március április május június július augusztus szeptember október november \
     december",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada \
     grudnia",
    "ledna února března dubna května června července srpna září října listopadu prosince",
    "januára februára marca apríla mája júna júla augusta septembra októbra novembra decembra",
    "januarja februarja marca aprila maja junija julija avgusta septembra oktobra novembra decembra",
    "siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna - studenoga \
     prosinca",
    "januar februar mart april maj jun jul avgust septembar oktobar novembar decembar",
    "јануар фебруар март април мај јун јул август септембар октобар новембар децембар",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "януари февруари март април май юни юли август септември октомври ноември декември",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου \
     οκτωβρίου νοεμβρίου δεκεμβρίου",
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "urtarrilaren otsailaren martxoaren apirilaren maiatzaren ekainaren uztailaren abuztuaren \
     irailaren urriaren azaroaren abenduaren",
    "januari februari maret april mei juni juli agustus september oktober november desember",
    "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר",
    "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
    "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr",
    "қаңтар ақпан наурыз сәуір мамыр маусым шілде тамыз қыркүйек қазан қараша желтоқсан",
    "студзеня лютага сакавіка красавіка мая чэрвеня ліпеня жніўня верасня кастрычніка лістапада снежня",
    "јануари февруари март април мај јуни јули август септември октомври ноември декември",
    "janar shkurt mars prill maj qershor korrik gusht shtator tetor nëntor dhjetor",
    "იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი \
     დეკემბერი",
    "كانون_الثاني شباط آذار نيسان أيار حزيران تموز آب أيلول تشرين_الأول تشرين_الثاني كانون_الأول",
    "جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر",
    "يناير فبراير مارس أبريل ماي يونيو يوليوز غشت شتنبر أكتوبر نونبر دجنبر",
    "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر",
    "জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর",
    "ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்",
    "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน \
     ธันวาคม",
];
/// By month; no word of another supported language before or after a number and a year is the same.
const SHORT: [&str; 12] = [
    "jan ene ian janv янв ιαν styczeń jänner",
    "feb febr fév févr fev лют февр φεβ luty",
    "mar mär mrz мар μαρ marzec marec",
    "apr avr abr апр απρ kwiecień",
    "май μαϊ μαΐ maj",
    "jun июн ιουν czerwiec junij",
    "jul juil июл ιουλ lipiec julij",
    "aug авг αυγ sierpień avgust",
    "sep sept сен сент σεπ wrzesień",
    "oct okt окт οκτ październik تشرين_الاول",
    "nov ноя νοε listopad",
    "dec dez dic déc дек δεκ grudzień كانون_الاول",
];
/// Names that are also words of other languages: only used on pages in the language.
const SHORT_IN: [(&str, &[(&str, u32)]); 6] = [
    ("hr", &[("listopada", 10), ("studenog", 11)]),
    (
        "tr",
        &[
            ("oca", 1),
            ("şub", 2),
            ("nis", 4),
            ("haz", 6),
            ("tem", 7),
            ("ağu", 8),
            ("eyl", 9),
            ("eki", 10),
            ("kas", 11),
            ("ara", 12),
        ],
    ),
    (
        "it",
        &[
            ("gen", 1),
            ("mag", 5),
            ("giu", 6),
            ("lug", 7),
            ("ago", 8),
            ("set", 9),
            ("ott", 10),
        ],
    ),
    ("pt", &[("mai", 5), ("ago", 8), ("set", 9), ("out", 10)]),
    ("es", &[("ago", 8), ("set", 9)]),
    (
        "pl",
        &[
            ("sty", 1),
            ("lut", 2),
            ("kwi", 4),
            ("cze", 6),
            ("lip", 7),
            ("sie", 8),
            ("wrz", 9),
            ("paź", 10),
        ],
    ),
];

static MONTHS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let long = NAMES.iter().flat_map(|names| (1..).zip(names.split(' ')));
    let short = (1..).zip(SHORT);
    let short = short.flat_map(|(month, names)| names.split(' ').map(move |name| (month, name)));
    long.chain(short)
        .map(|(month, name)| (name, month))
        .collect()
});

/// The Hebrew prefix of a month: "in".
const IN_HEBREW: char = 'ב';

/// The number of a month by its name; `lang` decides on ambiguous names.
#[must_use]
pub fn month_of(name: &str, lang: &str) -> Option<u32> {
    let word = name.to_lowercase().replace(' ', "_");
    let start = lang.get(..2).unwrap_or_default();
    let of_language = SHORT_IN
        .iter()
        .find(|(language, _)| start.eq_ignore_ascii_case(language));
    let own = of_language.and_then(|(_, names)| names.iter().find(|(name, _)| *name == word));
    let known = || MONTHS.get(word.as_str().trim_start_matches(IN_HEBREW));
    own.map(|found| found.1).or_else(|| known().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_month_in_all_languages() {
        for names in NAMES {
            let names: Vec<&str> = names.split(' ').collect();
            assert_eq!(names.len(), 12, "{names:?}");
            for (month, name) in (1..).zip(names).filter(|(_, name)| *name != "-") {
                assert_eq!(month_of(name, ""), Some(month), "{name}");
            }
        }
        assert_eq!(month_of("Listopada", "hr"), Some(10));
        assert_eq!(month_of("במאי", "he"), Some(5));
    }
}
