//! Parts of labels, a line a language: English after Mozilla's Readability, Western, Northern, Eastern
//! and Turkish ones as authors there write them without accents, and words of Asia in Latin letters.

/// Of containers of content.
pub const HOPEFUL: &str = "\
    article body blog content entry main page post story text \
    artikel bericht beitrag haupt inhalt meldung \
    contenu corps \
    articul conteni cuerpo entrada noticia \
    articol notizi \
    conteud \
    inhoud \
    artykul tresc \
    clanek clanok obsah \
    indhold innehall innhold \
    icerik makale \
    novost statya \
    cikk tartalom \
    sisalto \
    continut \
    berita konten \
    baiviet noidung noi-dung \
    honbun kiji \
    neirong zhengwen";

/// Of furniture.
pub const DOUBTFUL: &str = "\
    ad- banner breadcrumb combx contact cookie copyright foot header login masthead media menu meta \
    more nav newsletter outbrain popular popup promo recent related scroll share shopping shoutbox \
    sidebar social sponsor subscribe tags tool widget \
    aehnlich anmeld anzeige beliebt brotkrum datenschutz empfehl fussbereich fussleiste fusszeile \
    impressum kontakt kopfbereich kopfzeile mehr meistgelesen randspalte schlagwort seitenleiste \
    seitenspalte stichwort teilen verwandt warenkorb weiter werbung \
    abonn annonce connexion entete filariane fil-ariane lire-aussi partag pieddepage pied-de- publici \
    similaire \
    barralateral barra-lateral boletin cabecera comparti etiqueta piepagina pie-de- relacion \
    condivi correlat pubblicit \
    cabecalho rodape \
    advertentie gerelateerd nieuwsbrief winkelwagen \
    logowan naglowek powiazan reklam stopka udost \
    hlavicka paticka sdilen souvisej zdielan \
    annons relatera relatert sidfot \
    altbilgi ilgili paylas \
    podelit podval pohozh shapka \
    hirdet kapcsolod \
    mainos \
    iklan terkait \
    lienquan lien-quan quangcao quang-cao \
    kanren koukoku \
    daohang fenxiang guanggao xiangguan";

/// Of comments by readers, which are furniture but on forums.
pub const COMMENTING: &str = "\
    comment discuss disqus feedback reply respond \
    antwort diskuse diskuss komment \
    reponse \
    coment respuesta \
    rispost \
    resposta \
    reactie \
    koment odpowied \
    diskuz \
    yorum \
    otvet otzyv \
    hozzasz \
    binhluan binh-luan \
    pinglun";
