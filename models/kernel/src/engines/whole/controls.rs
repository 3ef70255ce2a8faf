//! Lines that are only a control, a label of an advertisement, or a notice about scripts; headings
//! above links to other pages.

use std::sync::LazyLock;

use memchr::memchr;

use crate::text::lines::Lines;

/// Most bytes of a control and of a notice.
const MOST_CONTROL: usize = 96;
const MOST_NOTICE: usize = 300;

/// Lines in lower case, by language, separated by `|`; `#` is any number, at the beginning.
const CONTROLS: &[&str] = &[
    // of shops
    "add to cart|add to basket|add to bag|add to trolley|add to wishlist|add to wish list|add to watchlist",
    "buy now|buy it now|view cart|view basket|quick view|quick shop",
    "in den warenkorb|in den einkaufswagen|auf die merkliste|jetzt kaufen|auf den merkzettel",
    "ajouter au panier|acheter maintenant|añadir al carrito|añadir a la cesta|agregar al carrito",
    "comprar ahora|afegeix a la cistella|adicionar ao carrinho|comprar agora|adicionar ao cesto",
    "aggiungi al carrello|acquista ora|in winkelwagen|in winkelmand|in mijn winkelwagen|nu kopen",
    "læg i kurv|tilføj til kurv|legg i handlekurv|legg i handlekurven|lägg i varukorg|lägg i varukorgen",
    "lisää ostoskoriin|dodaj do koszyka|do koszyka|kup teraz|do košíku|přidat do košíku|vložit do košíku",
    "do košíka|pridať do košíka|vložiť do košíka|kosárba|kosárba teszem|adaugă în coș|adauga in cos",
    "sepete ekle|hemen al|προσθήκη στο καλάθι|в корзину|добавить в корзину|купить сейчас|у кошик",
    "до кошика|додати в кошик|додати до кошика|добави в количката|カートに入れる|カートに追加",
    "장바구니|장바구니 담기|구매하기|바로구매|加入购物车|加入購物車|放入购物车|立即购买|立即購買",
    "أضف إلى السلة|أضف إلى عربة التسوق|اشتر الآن|הוסף לסל|הוספה לסל|קנה עכשיו|افزودن به سبد خرید",
    "tambahkan ke keranjang|beli sekarang|thêm vào giỏ hàng|thêm vào giỏ|mua ngay|कार्ट में जोड़ें|अभी खरीदें",
    "เพิ่มลงตะกร้า|หยิบใส่ตะกร้า|ซื้อเลย",
    // English
    "advertisement|advertisements|advertising|advert|sponsored|sponsored content",
    "article continues below advertisement|article continues after advertisement|ads by google",
    "story continues below advertisement|story continues after advertisement|skip advertisement",
    "article continues below|story continues below|article continues below ad|report this ad",
    "advertisement - continue reading below|advertisement - scroll to continue|continue after ad",
    "article continues after ad|story continues after ad|story continues below ad|continues below advertisement|scroll to continue|scroll to continue with content",
    "loading|loading comments|loading more|please wait|back to top|return to top|scroll to top",
    "go to top|skip to content|skip to main content|skip to navigation|skip navigation",
    "share|share on|share via|share article|share story|share page|share now|share link|shares",
    "share on facebook|share on twitter|share on x|share on linkedin|share on whatsapp|# shares",
    "# share|tweet this|click to tweet|pin it|copy link|copy url|link copied|copy to clipboard",
    "copied to clipboard|print this page|print article|email this article|save article",
    "listen to this article|listen to article|listen to this story|your browser does not support the audio element",
    "# min read|# minute read|# minutes read|# mins read|# views|# comments|# comment|no comments",
    "leave a comment|leave a reply|add a comment|post a comment|post comment|write a comment",
    "view comments|show comments|view all comments|show all comments|join the conversation",
    "log in to comment|login to comment|sign in to comment|comments are closed",
    "opens in a new window|print this article|log in or register to post comments|accept cookies",
    "accept all cookies|subscribe to continue reading|sign in to continue reading|search for",
    "log in to continue reading|sign in to your account to continue reading",
    "show more|show less|load more|view more|read less|toggle navigation|open in app",
    "click to expand|click to collapse|click to enlarge|tap to expand|previous page|next page",
    "helpful|not helpful|was this helpful|was this review helpful|was this article helpful",
    "was this page helpful|was this answer helpful|did you find this helpful|report abuse",
    "report this review|report review|report post|report comment|# people found this helpful",
    "# person found this helpful|# of # people found this helpful|# out of # found this helpful",
    "already a subscriber|already a subscriber? log in|already a subscriber? sign in",
    "already a member? log in|already a member? sign in|already have an account? log in",
    "already have an account? sign in|to continue reading, subscribe|subscribe to read the full story",
    "jump to recipe|jump to video|print recipe|print recipe pin recipe|print recipe pin recipe rate recipe|print rate pin recipe|pin recipe|save recipe|save this recipe|rate this recipe",
    "want to save this recipe|did you make this recipe|# from # votes|# from # vote|sharing is caring",
    "cook mode prevent your screen from going dark|trackback url for this entry|trackback url",
    "subscribe to read more|log in to read more|sign in to read more",
    "pin for later|pin this for later|pin it for later|leave a review|write a review|add a review",
    "write your own review|be the first to review|be the first to write a review",
    "gift this article|gift article|gift this story|give this article|give the gift of this article",
    "share full article|share free article|save this article|save this story|save for later",
    "artikel verschenken|diesen artikel verschenken|offrir cet article|offrir l'article|offrir l’article",
    "regalar este artículo|regala este artículo|regalar artículo|regala questo articolo|oferecer este artigo",
    "artikel cadeau geven|cadeau geven|geef dit artikel cadeau|ge bort artikeln|dela artikeln gratis",
    "giv artiklen væk|gi bort artikkelen|lahjoita artikkeli|podaruj artykuł|podarovat článek",
    "no votes so far! be the first to rate this post|be the first to rate this post|click on a star to rate it",
    "summarize this article with ai|summarise this article with ai|translate this article|report an error",
    "report a typo|report a mistake|report a correction|be the first to comment|resize text|change text size",
    "get notified when this story is updated|add us as a preferred source on google|bookmark this article",
    "hide caption|toggle caption|show caption|enlarge this image|start slideshow|view gallery|adchoices|ad choices",
    "sponsor message|fehler melden|korrektur melden|fehler im artikel melden|signaler une erreur|signaler une faute",
    "reportar un error|informar de un error|comunicar erro|reportar erro|segnala un errore|meld een fout",
    "rapporter en fejl|rapportera fel|meld fra om feil|zgłoś błąd|nahlásit chybu|сообщить об ошибке",
    "how useful was this post|submit rating|thank you for rating this post",
    "we are sorry that this post was not useful for you|let us improve this post|tell us how we can improve this post",
    // messages of forms, hidden until they are sent
    "thank you! your submission has been received",
    "oops! something went wrong while submitting the form",
    "continue reading below|story continues below this ad|article continues below this ad",
    // of events
    "add to calendar|add to my calendar|add to google calendar|google calendar|icalendar|outlook calendar",
    "ical export|export to calendar|show map|view map|view on map|get directions|google map|view larger map",
    "zum kalender hinzufügen|in kalender eintragen|in meinen kalender|karte anzeigen|auf karte anzeigen",
    "ajouter au calendrier|ajouter à mon agenda|ajouter à l'agenda|voir la carte|voir le plan|afficher la carte",
    "añadir al calendario|agregar al calendario|ver mapa|ver el mapa|adicionar ao calendário|ver no mapa",
    "aggiungi al calendario|vedi mappa|mostra mappa|toevoegen aan agenda|toon kaart|bekijk kaart",
    "lägg till i kalender|føj til kalender|legg til i kalender|lisää kalenteriin|dodaj do kalendarza",
    "přidat do kalendáře|добавить в календарь|takvime ekle|カレンダーに追加|添加到日历|캘린더에 추가",
    // the same of reviews
    "bewertung schreiben|eigene bewertung schreiben|bewertung abgeben|rezension schreiben",
    "écrire un avis|donner votre avis|rédiger un avis|escribir una reseña|escribe una reseña",
    "escreva uma avaliação|escrever uma avaliação|scrivi una recensione|schrijf een review",
    "schrijf een beoordeling|skriv en recension|skriv en anmeldelse|kirjoita arvostelu",
    "napisz recenzję|napisz własną recenzję|napisz opinię|dodaj opinię|napsat recenzi",
    "přidat hodnocení|napísať recenziu|scrie o recenzie|написать отзыв|оставить отзыв",
    "написати відгук|залишити відгук|yorum yaz|değerlendirme yaz|レビューを書く|撰写评论|写评论|리뷰 작성",
    // the rest of a quoted post, as forums call it
    "zum vergrößern anklicken|zum vergrößern klicken|cliquez pour agrandir|haga clic para expandir",
    "haz clic para expandir|clique para expandir|clicca per allargare|clicca per espandere",
    "klik om te vergroten|klik om te verbreden|klicka för att utvidga|klik for at udvide",
    "klikk for å utvide|napsauta laajentaaksesi|kliknij aby rozwinąć|kliknij, aby rozwinąć",
    "klepnutím rozbalíte|kattints a kibontáshoz|clic pentru extindere|genişletmek için tıkla",
    "κάντε κλικ για ανάπτυξη|нажмите для раскрытия|нажмите, чтобы раскрыть",
    "натисніть, щоб розгорнути|klik untuk memperluas|nhấp để mở rộng|bấm để mở rộng|点击展开",
    "點擊展開|クリックして展開|클릭하여 확장|انقر للتوسيع|לחץ להרחבה",
    // German
    "anzeige|anzeigen|werbung|nach oben|zum seitenanfang|zurück nach oben|zum inhalt springen|teilen",
    "artikel teilen|beitrag teilen|auf facebook teilen|auf twitter teilen|link kopieren|seite drucken",
    "wird geladen|artikel drucken|artikel anhören|# min. lesezeit|# min lesezeit|# minuten lesezeit",
    "# kommentare|# kommentar|kommentar schreiben|kommentar hinterlassen|mehr anzeigen|mehr laden",
    "weniger anzeigen|nach der anzeige geht es weiter|war dies hilfreich|war diese bewertung hilfreich",
    "war dieser artikel hilfreich|hilfreich|bewertung melden|beitrag melden|kommentar melden",
    "bereits abonnent? anmelden|bereits abonnent? hier anmelden|schon abonnent? hier anmelden",
    // French
    "publicité|haut de page|retour en haut|partager|partager sur|partager sur facebook|copier le lien",
    "partager sur twitter|chargement|# commentaires|# commentaire|laisser un commentaire",
    "aller au contenu|aller au contenu principal|écouter l'article|écouter cet article|imprimer",
    "écouter l’article|écouter la version audio|écoutez cet article",
    // to hear an article, in other languages
    "diesen artikel anhören|artikel vorlesen|artikel vorlesen lassen|beitrag anhören|text vorlesen",
    "escuchar este artículo|escucha este artículo|escuchar artículo|escuchar el artículo|escuchar nota",
    "escuchar noticia|escuchar la noticia|escucha la noticia|escucha la nota|escolta aquest article",
    "ouvir artigo|ouvir este artigo|ouça este artigo|ouvir notícia|ouça este conteúdo|ouça a matéria",
    "ascolta l'articolo|ascolta l’articolo|ascolta questo articolo|luister naar dit artikel",
    "artikel beluisteren|lyt til artiklen|hør artiklen|lytt til artikkelen|lyssna på artikeln",
    "kuuntele juttu|kuuntele artikkeli|posłuchaj artykułu|odsłuchaj artykuł|poslechnout článek",
    "vypočúť článok|hallgassa meg a cikket|ascultă articolul|haberi dinle|makaleyi dinle|yazıyı dinle",
    "прослушать статью|слушать статью|прослушать новость|слухати статтю|чуйте статията",
    "ακούστε το άρθρο|dengarkan artikel|nghe bài viết|nghe đọc bài|استمع إلى المقال|استمع للمقال",
    "האזינו לכתבה|इस खबर को सुनें|この記事を聴く|記事を聴く|기사 듣기|기사 음성으로 듣기|听文章|收听本文|收聽本文",
    "la suite après la publicité|suite après la publicité|afficher plus|afficher moins",
    "cet avis vous a-t-il été utile|cet article vous a-t-il été utile|signaler un abus|signaler",
    "déjà abonné|déjà abonné ? connectez-vous|déjà abonné ? se connecter",
    // Spanish, Catalan, Galician
    "publicidad|compartir|compartir en|compartir en facebook|compartir en twitter|copiar enlace",
    "te ha resultado útil|le resultó útil|te resultó útil|ya eres suscriptor? inicia sesión",
    "cargando|volver arriba|ir arriba|# comentarios|# comentario|deja un comentario|mostrar más",
    "cargar más|saltar al contenido|ir al contenido|publicitat|comparteix|publicidade",
    // Portuguese
    "compartilhar|partilhar|compartilhe|compartilhar no facebook|copiar link|carregando|# comentário",
    "voltar ao topo|# comentários|deixe um comentário|continua após a publicidade|carregar mais",
    "continua depois da publicidade|pular para o conteúdo",
    // Italian, Romanian
    "pubblicità|condividi|condividi su|condividi su facebook|torna su|copia link|caricamento",
    "# commenti|# commento|lascia un commento|vai al contenuto|mostra altro|carica altro|publicitate",
    "distribuie|înapoi sus",
    // Dutch
    "advertentie|delen|deel|deel dit artikel|kopieer link|naar boven|terug naar boven|# reacties",
    "toon meer|lees verder na de advertentie|tekst gaat verder onder de advertentie",
    // Danish, Norwegian, Swedish, Finnish
    "annonce|del|del artiklen|annonse|del artikkelen|til toppen|vis mere|vis mer|annons|dela",
    "dela artikeln|till toppen|visa mer|# kommentarer|mainos|jaa|jaa artikkeli|takaisin ylös",
    "näytä lisää|# kommenttia|artikkeli jatkuu mainoksen alla|artikeln fortsätter efter annonsen",
    // Polish, Czech, Slovak, Hungarian
    "reklama|udostępnij|kopiuj link|do góry|wróć do góry|# komentarzy|# komentarze|dodaj komentarz",
    "pokaż więcej|dalsza część artykułu pod reklamą|dalszy ciąg materiału pod wideo|inzerce|sdílet",
    "zdieľať|zpět nahoru|späť hore|článek pokračuje pod reklamou|článok pokračuje pod reklamou",
    "hirdetés|megosztás|megosztom|vissza a tetejére",
    // Turkish, Greek
    "reklam|paylaş|yukarı çık|başa dön|yükleniyor|daha fazla göster|# yorum|yorum yap",
    "διαφήμιση|κοινοποίηση|κοινοποιήστε|επιστροφή στην κορυφή",
    // Russian, Ukrainian, Bulgarian
    "реклама|поделиться|наверх|вернуться наверх|загрузка|показать еще|показать ещё|комментировать",
    "# комментариев|# комментарий|# комментария|скопировать ссылку|поділитися|вгору|показати більше",
    "сподели|споделете",
    // Indonesian, Vietnamese
    "iklan|bagikan|kembali ke atas|memuat|quảng cáo|chia sẻ|đang tải|bình luận",
    // Arabic, Persian, Hebrew, Hindi
    "إعلان|اعلان|مشاركة|شارك|جاري التحميل|العودة للأعلى|تبلیغات|اشتراک گذاری|פרסומת|שיתוף|שתפו",
    "विज्ञापन|शेयर करें",
    // Chinese, Japanese, Korean, Thai
    "广告|廣告|分享|分享到|返回顶部|回到顶部|返回頂部|回頂部|加载中|正在加载|加载更多|查看更多|展开全文|显示更多",
    "広告|スポンサーリンク|シェア|シェアする|ページトップへ|トップへ戻る|もっと見る|読み込み中",
    "광고|공유|공유하기|맨 위로|더보기|불러오는 중|โฆษณา",
];

/// Labels of the address to link back to a page, in the same form.
const ADDRESSES: &[&str] = &[
    "trackback url|trackback url for this entry|trackback url for this post|trackback url of this entry",
    "trackback|trackbacks|trackback uri|trackback uri for this entry|trackback link|trackback address",
    "the trackback url for this entry is|the uri to trackback this entry is|trackback ping url",
    "pingback url|trackback-url|trackback-url für diesen eintrag|trackback-url für diesen beitrag",
    "trackback-adresse|trackback-adresse für diesen eintrag|trackback url für diesen eintrag",
    "trackback url für diesen beitrag|url de trackback|url du trackback|adresse de trackback",
    "url de rétrolien|adresse url du trackback|url de trackback de esta entrada|url del trackback",
    "url del trackback de esta entrada|url de trackback para esta entrada|endereço de trackback",
    "url do trackback|url di trackback|url per il trackback|trackback-adres|trackback-adress",
    "adres trackbacku|odnośnik trackback|адрес для трекбека|url для трекбэка",
    "この記事のトラックバックurl|トラックバックurl|トラックバック url|トラックバック",
    "このエントリーのトラックバックurl|この記事へのトラックバックurl|引用網址|引用通告|引用地址",
    "trackback地址|本文链接|本文地址|转载请注明|트랙백 주소",
];

/// Controls of a post or a review, in the same form.
const OF_POSTS: &[&str] = &[
    "reply|reply to this|report|report abuse|quote|like|likes|# likes|# like|unlike",
    "upvote|downvote|flag|flag as inappropriate|helpful|not helpful|share",
    "permalink|mark as helpful|was this helpful|thumbs up|thumbs down|report as inappropriate",
    "antworten|melden|zitieren|zitat|gefällt mir|gefällt|beitrag melden",
    "répondre|signaler|signaler un abus|citer|j'aime|j’aime|responder|reportar|denunciar|citar",
    "me gusta|respon|m'agrada|curtir|gosto|rispondi|segnala|cita|mi piace",
    "beantwoorden|reageren|reageer|rapporteren|rapporteer|citeren|citeer|vind ik leuk|svar|anmeld",
    "synes godt om|svara|anmäl|citera|gilla|rapporter|siter|lik|vastaa|ilmoita|lainaa|tykkää",
    "odpowiedz|zgłoś|cytuj|lubię to|odpovědět|nahlásit|citovat|líbí se mi|odpovedať|nahlásiť",
    "válasz|jelentem|idézet|tetszik|răspunde|raportează|citează|îmi place|yanıtla|cevapla|bildir",
    "şikayet et|alıntıla|alıntı|beğen|ответить|пожаловаться|цитировать|цитата|нравится|мне нравится",
    "відповісти|поскаржитися|поскаржитись|цитувати|подобається|отговор|отговори|докладвай|цитирай",
    "харесва ми|απάντηση|αναφορά|παράθεση|μου αρέσει|balas|laporkan|kutip|suka|trả lời|báo cáo",
    "trích dẫn|thích|رد|الرد|إبلاغ|اقتباس|أعجبني|پاسخ|گزارش|نقل قول|הגב|השב|דווח|ציטוט|אהבתי",
    "जवाब दें|रिपोर्ट करें|पसंद करें|返信|返信する|報告|報告する|通報|通報する|引用|いいね|参考になった|답글|답글 달기",
    "답글쓰기|신고|신고하기|인용|좋아요|回复|回覆|举报|舉報|檢舉|点赞|讚|赞|有用|有帮助",
];

/// What members of forums are called by their number of posts, in the same form.
const RANKS: &[&str] = &[
    "well-known member|active member|new member|senior member|junior member|hero member|full member",
    "sr. member|jr. member|established member|distinguished member|registered user|registered member",
    "super moderator|global moderator|forum moderator|staff member|banned|guest",
    "neues mitglied|aktives mitglied|bekanntes mitglied|erfahrenes mitglied|registrierter benutzer",
    "nouveau membre|membre actif|membre réputé|membre confirmé|nuevo miembro|miembro activo",
    "miembro conocido|novo membro|membro ativo|membro conhecido|membro bem conhecido|utente attivo",
    "nuovo utente|nieuw lid|actief lid|bekend lid|ny medlem|aktiv medlem|välkänd medlem|uusi jäsen",
    "aktiivinen jäsen|tunnettu jäsen|nowy użytkownik|aktywny użytkownik|dobrze znany członek",
    "новый пользователь|активный пользователь|постоянный пользователь|новий користувач|новый участник",
    "active üye|aktif üye|yeni üye|tanınmış üye",
];

/// Headings above links to other articles, in the same form. "See also" and the like are not among
/// them: encyclopedias have them.
const RELATED: &[&str] = &[
    "you may also like|you might also like|you may also be interested in|related articles",
    "related stories|related posts|related news|more stories|more on this story|most read",
    "recommended for you|recommended reading|most popular|trending now|don't miss|don’t miss",
    "more on this|more on this topic|more like this|editor's picks|editor’s picks|editors' picks",
    "mehr dazu|plus sur ce sujet|más sobre este tema|mais sobre este tema|altro su questo tema",
    "meer hierover|mere om emnet|mer om dette|mer om detta|lisää aiheesta|więcej na ten temat",
    "ещё по теме|еще по теме|більше за темою|του ίδιου θέματος|aynı konuda",
    "das könnte sie auch interessieren|das könnte dich auch interessieren|auch interessant",
    "mehr zum thema|ähnliche artikel|verwandte artikel|weitere artikel|lesen sie auch|meistgelesen",
    "lire aussi|à lire aussi|sur le même sujet|articles similaires|articles liés|les plus lus",
    "te puede interesar|también te puede interesar|artículos relacionados|noticias relacionadas",
    "leia também|veja também|notícias relacionadas|artigos relacionados|lo más leído|mais lidas",
    "leggi anche|articoli correlati|potrebbe interessarti|ti potrebbe interessare|i più letti",
    "lees ook|gerelateerde artikelen|meer over dit onderwerp|meest gelezen|læs også|les også",
    "läs också|läs även|relaterade artiklar|relaterede artikler|relaterte artikler|lue myös",
    "czytaj także|czytaj też|czytaj również|powiązane artykuły|podobne artykuły|související články",
    "čtěte také|mohlo by vás zajímat|kapcsolódó cikkek|articole similare|citește și|ilgili haberler",
    "σχετικά άρθρα|διαβάστε επίσης|читайте также|похожие статьи|читайте також|още от категорията",
    "baca juga|artikel terkait|xem thêm|קראו גם|bài viết liên quan|مقالات ذات صلة|اقرأ أيضا|اقرأ أيضًا|مطالب مرتبط",
    "相关文章|相關文章|推荐阅读|推薦閱讀|関連記事|あわせて読みたい|관련 기사|관련기사",
    "read also|also read|read next",
    "auch lesenswert|lesen sie mehr|beliebte artikel|meistgelesene artikel|mehr artikel",
    "à lire également|articles les plus lus|dans la même rubrique|à lire également sur le même sujet",
    "lea también|lee también|le puede interesar|más leídas|las más leídas|más noticias|otras noticias",
    "leia mais|mais notícias|últimas notícias|potrebbe interessarti anche|articoli più letti",
    "gerelateerd nieuws|læs mere|les mer|läs mer|lue lisää|luetuimmat|lestu einnig",
    "przeczytaj także|przeczytaj również|powiązane|související|čítajte tiež|mohlo by vás zaujímať",
    "olvassa el ezt is|ajánlott cikkek|citeşte şi|știri similare|articole recomandate",
    "benzer haberler|bunlar da ilginizi çekebilir|διαβάστε ακόμη|διαβάστε ακόμα|διαβάστε σήμερα",
    "материалы по теме|новости по теме|читать также|читайте ещё|читайте еще|другие новости",
    "прочетете още|още по темата|новини за темата|матеріали за темою|pročitajte još|preberite tudi",
    "berita terkait|artikel lainnya|tin liên quan|có thể bạn quan tâm|ข่าวที่เกี่ยวข้อง|บทความที่เกี่ยวข้อง",
    "مواضيع ذات صلة|أخبار ذات صلة|اخبار ذات صلة|اقرأ أيضاً|اخبار مرتبط|بیشتر بخوانید|כתבות נוספות",
    "यह भी पढ़ें|ये भी पढ़ें|इसे भी पढ़ें|संबंधित खबरें",
    "相关新闻|相關新聞|相关阅读|相關閱讀|相关报道|相關報導|延伸阅读|延伸閱讀|热门文章|热门新闻|猜你喜欢",
    "関連ニュース|人気記事|おすすめ記事|관련 뉴스|관련뉴스|많이 본 뉴스|인기 기사",
    "related content|weitere beiträge zum thema|verwandte inhalte|ähnliche beiträge|contenus similaires",
    "contenido relacionado|contenidos relacionados|conteúdo relacionado|contenuti correlati",
    "gerelateerde inhoud|relateret indhold|relatert innhold|relaterat innehåll|powiązane treści",
    "související obsah|похожие материалы|関連コンテンツ|관련 콘텐츠|相关内容|相關內容",
    // other products, jobs, homes and events
    "related products|similar products|similar items|related items|sponsored products",
    "products related to this item|more items to explore|more from this seller|more from this brand",
    "customers also bought|customers also viewed|people also viewed|people also bought|others also bought",
    "others also viewed|shoppers also viewed|customers who bought this item also bought|recently viewed",
    "customers who viewed this item also viewed|people who viewed this also viewed|you recently viewed",
    "people who viewed this item also viewed|explore related items",
    "recently viewed items|recently viewed products|frequently bought together|often bought together",
    "complete the look|complete your look|you'll also love|you’ll also love",
    "you may also love|you might also love|we also recommend|we think you'll love|we think you’ll love",
    "inspired by your browsing history|similar jobs|related jobs|more jobs like this|similar properties",
    "similar listings|similar homes|related events|similar events|more events from this organizer",
    "other events you may like|more events you might like|similar courses|related courses|related videos",
    "ähnliche produkte|ähnliche jobs|ähnliche stellenangebote|ähnliche immobilien|ähnliche angebote",
    "wird oft zusammen gekauft|häufig zusammen gekauft|kunden kauften auch|zuletzt angesehen|passend dazu",
    "das könnte ihnen auch gefallen|das könnte dir auch gefallen|das könnte ihnen gefallen",
    "das könnte dir gefallen|kunden haben sich ebenfalls angesehen|kunden kauften außerdem",
    "produits similaires|produits associés|produits apparentés|vous aimerez aussi|vous aimerez peut-être",
    "vous pourriez aussi aimer|vous pourriez également aimer|les clients ont également acheté",
    "souvent achetés ensemble|récemment consultés|offres similaires|annonces similaires",
    "productos relacionados|productos similares|también te puede gustar|también te podría gustar",
    "te podría gustar|te puede gustar|los clientes también compraron|vistos recientemente",
    "comprados juntos habitualmente|ofertas similares|empleos similares|productes relacionats",
    "produtos relacionados|produtos semelhantes|produtos similares|você também pode gostar",
    "também pode gostar|quem viu também comprou|quem comprou também comprou|vistos recentemente",
    "prodotti correlati|prodotti simili|potrebbe piacerti anche|ti potrebbe piacere anche",
    "potrebbero piacerti anche|chi ha acquistato questo ha acquistato anche|visti di recente",
    "gerelateerde producten|vergelijkbare producten|anderen bekeken ook|anderen kochten ook",
    "vaak samen gekocht|misschien vind je dit ook leuk|recent bekeken|vergelijkbare vacatures",
    "relaterede produkter|lignende produkter|andre købte også|relaterte produkter|andre kjøpte også",
    "relaterade produkter|liknande produkter|andra köpte även|andra har även köpt|lignende stillinger",
    "samankaltaiset tuotteet|katso myös nämä|muut ostivat myös|senast visade|sist sett",
    "podobne produkty|produkty powiązane|klienci kupili również|ostatnio oglądane|może ci się spodobać",
    "podobne oferty|często kupowane razem|související produkty|podobné produkty|mohlo by se vám líbit",
    "zákazníci také koupili|súvisiace produkty|hasonló termékek|kapcsolódó termékek|önnek ajánljuk",
    "produse similare|produse asemănătoare|ți-ar putea plăcea și|benzer ürünler|ilgili ürünler",
    "bunlar da ilginizi çekebilir|birlikte alınanlar|σχετικά προϊόντα|παρόμοια προϊόντα",
    "ίσως σας αρέσουν|похожие товары|сопутствующие товары|с этим товаром покупают|вам может понравиться",
    "вы недавно смотрели|похожие вакансии|похожие объявления|схожі товари",
    "супутні товари|з цим товаром купують|подобни продукти|свързани продукти|produk terkait|produk serupa",
    "sản phẩm tương tự|sản phẩm liên quan|có thể bạn sẽ thích|منتجات ذات صلة|منتجات مشابهة|قد يعجبك أيضا",
    "محصولات مرتبط|محصولات مشابه|מוצרים דומים|מוצרים קשורים|अन्य उत्पाद|संबंधित उत्पाद",
    "関連商品|おすすめ商品|この商品を買った人はこんな商品も買っています|この商品を見た人はこんな商品も見ています",
    "最近チェックした商品|最近見た商品|こちらもおすすめ|연관 상품|관련 상품|추천 상품|함께 구매한 상품|최근 본 상품",
    "相关产品|相关商品|相關產品|相關商品|相似商品|类似商品|推荐商品|推薦商品|最近浏览|最近瀏覽|看了又看|สินค้าที่เกี่ยวข้อง",
];

/// Headings of encyclopedias and manuals above other parts of them, in the same form.
const SEE_ALSO: &[&str] = &[
    "see also|siehe auch|voir aussi|véase también|ver también|vegeu també|vexa tamén|ver também",
    "vedi anche|voci correlate|zie ook|se även|se också|se også|katso myös|zobacz też|zobacz także",
    "viz též|viz také|pozri aj|lásd még|vezi și|ayrıca bakınız|см. также|див. також|вижте също",
    "δείτε επίσης|lihat juga|lihat pula|انظر أيضا|انظر أيضًا|جستارهای وابسته|ראו גם|इन्हें भी देखें",
    "関連項目|같이 보기|참고 항목|参见|參見|参看|相关条目|相關條目|ดูเพิ่ม",
];

/// Beginnings of notices for browsers without scripts, in lower case.
const SCRIPTS: [&str; 15] = [
    "please enable javascript",
    "to view this video please enable javascript",
    "to play this video you need to enable javascript",
    "you need to enable javascript",
    "javascript is disabled in",
    "javascript is required",
    "javascript must be enabled",
    "your browser does not support javascript",
    "this site requires javascript",
    "this page requires javascript",
    "bitte aktivieren sie javascript",
    "veuillez activer javascript",
    "por favor, habilite javascript",
    "por favor, activa javascript",
    "abilita javascript",
];

static KNOWN: LazyLock<Lines> = LazyLock::new(|| lines(CONTROLS));
static KNOWN_RANKS: LazyLock<Lines> = LazyLock::new(|| lines(RANKS));
static KNOWN_RELATED: LazyLock<Lines> = LazyLock::new(|| lines(RELATED));
static KNOWN_SEE_ALSO: LazyLock<Lines> = LazyLock::new(|| lines(SEE_ALSO));
static KNOWN_ADDRESSES: LazyLock<Lines> = LazyLock::new(|| lines(ADDRESSES));
static KNOWN_OF_POSTS: LazyLock<Lines> = LazyLock::new(|| lines(OF_POSTS));
/// The first words of these.
static FIRST_OF_POSTS: LazyLock<Lines> = LazyLock::new(|| {
    let lines = OF_POSTS.iter().flat_map(|line| line.split('|'));
    Lines::of(
        lines
            .map(|line| line.trim_start_matches("# "))
            .map(first_word),
    )
});

/// The first word of a text, which ends at a blank or a bar.
fn first_word(text: &str) -> &str {
    let is_end = |byte: &u8| matches!(byte, b' ' | b'|' | b'\n' | b'/' | b'(');
    let end = text.bytes().position(|byte| is_end(&byte));
    &text[..end.unwrap_or(text.len())]
}

fn lines(table: &'static [&str]) -> Lines {
    Lines::of(table.iter().flat_map(|line| line.split('|')))
}

/// Whether a text is only a control.
pub fn is_control(text: &str) -> bool {
    is_known(text, &KNOWN)
}

/// Whether each line of a text is only a control.
pub fn are_controls(text: &str) -> bool {
    let has_lines = || text.len() <= MOST_CONTROL && text.as_bytes().contains(&b'\n');
    is_control(text) || has_lines() && text.lines().all(is_control)
}

/// Whether a text is only a label and the address of a page.
pub fn is_labelled_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    let blank = bytes.iter().rposition(u8::is_ascii_whitespace);
    let last = &text[blank.map_or(0, |blank| blank + 1)..];
    let Some(at) = memchr(b'/', last.as_bytes()).and_then(|_| last.find("://")) else {
        return false;
    };
    let scheme = last[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
    is_known(
        &text[..text.len() - last.len() + scheme.len()],
        &KNOWN_ADDRESSES,
    )
}

/// Whether a text is only controls of a post, with signs between them.
pub fn is_of_post(text: &str) -> bool {
    let is_known = |text: &str| {
        let text = text.trim_end_matches(|c: char| !c.is_alphabetic());
        is_known(text, &KNOWN_OF_POSTS)
    };
    let first = first_word(text);
    if !FIRST_OF_POSTS.may_have(first) && first.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return false;
    }
    let is_word = |word: &&str| word.contains(char::is_alphabetic);
    let mut parts = text.split(['|', '·', '•', '/', '\n']);
    text.len() <= MOST_CONTROL
        && text.contains(char::is_alphabetic)
        && parts.all(|part| is_known(part) || part.split_whitespace().filter(is_word).all(is_known))
}

/// Whether a text is the rank of a member of a forum.
pub fn is_rank(text: &str) -> bool {
    is_known(text, &KNOWN_RANKS)
}

/// Whether a text announces other articles.
pub fn is_about_others(text: &str) -> bool {
    is_known(text, &KNOWN_RELATED)
}

/// Whether a text leads to other parts of an encyclopedia or a manual.
pub fn is_see_also(text: &str) -> bool {
    is_known(text, &KNOWN_SEE_ALSO)
}

fn is_known(text: &str, lines: &Lines) -> bool {
    if text.len() > MOST_CONTROL {
        return false;
    }
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    lines.may_have(text) && lines.has(&with_any_number(text))
}

/// A text in lower case, with `#` for its numbers.
fn with_any_number(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    for sign in text.chars().flat_map(char::to_lowercase) {
        let is_inside = key.ends_with('#') && matches!(sign, '.' | ',');
        match sign {
            '0'..='9' if !key.ends_with('#') => key.push('#'),
            '0'..='9' => {}
            // the small letter of the Turkish "İ" has a dot of its own
            '\u{307}' => {}
            _ if is_inside => {}
            _ => key.push(sign),
        }
    }
    key
}

/// Whether a text asks for scripts; `is_for_others` if only browsers without them show it.
pub fn asks_for_scripts(text: &str, is_for_others: bool) -> bool {
    if text.len() > MOST_NOTICE {
        return false;
    }
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(first) = text.as_bytes().first() else {
        return false;
    };
    let begins = |start: &&str| {
        let head = || text.as_bytes().get(..start.len());
        first.eq_ignore_ascii_case(&start.as_bytes()[0])
            && head().is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
    };
    is_for_others && text.to_ascii_lowercase().contains("javascript") || SCRIPTS.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_known_with_any_number_and_sign() {
        for text in [
            "Advertisement",
            "ADVERTISEMENT",
            "[Anzeige]",
            "Loading…",
            "1,204 views",
            "5 min read",
            "12.345 Kommentare",
            "↑ Back to top",
            "REKLAM",
            "广告",
        ] {
            assert!(is_control(text), "{text}");
        }
        for text in ["", "…", "Share prices", "1204", "A view", "views"] {
            assert!(!is_control(text), "{text}");
        }
        for text in [
            "Reply",
            "Reply | Quote",
            "Reply Quote Report",
            "Like (12) · Report abuse",
            "Répondre",
            "いいね！",
            "12 likes",
        ] {
            assert!(is_of_post(text), "{text}");
        }
        for text in ["", "|", "Reply to the mayor", "Quote of the day"] {
            assert!(!is_of_post(text), "{text}");
        }
    }

    #[test]
    fn every_control_is_in_the_form_that_is_looked_up() {
        for control in CONTROLS.iter().flat_map(|line| line.split('|')) {
            assert!(is_control(&control.replace('#', "1,204")), "{control}");
        }
        for label in ADDRESSES.iter().flat_map(|line| line.split('|')) {
            assert!(is_labelled_address(&format!(
                "{label}: https://a.example/b"
            )));
        }
        for control in OF_POSTS.iter().flat_map(|line| line.split('|')) {
            assert!(is_of_post(&control.replace('#', "12")), "{control}");
        }
        for heading in RELATED.iter().flat_map(|line| line.split('|')) {
            assert!(is_about_others(heading), "{heading}");
        }
        for heading in SEE_ALSO.iter().flat_map(|line| line.split('|')) {
            assert!(is_see_also(heading), "{heading}");
        }
    }
}
