//! Names of `meta` elements that date a page.

/// Declarations of the date of publication, the most reliable first.
pub const PUBLISHED: [&str; 45] = [
    "meta:article:published_time",
    "meta:datepublished",
    "meta:og:published_time",
    "meta:og:article:published_time",
    "meta:parsely-pub-date",
    "meta:dc.date.issued",
    "meta:dc.date.created",
    "meta:dc.date",
    "meta:dc:date",
    "meta:dc.issued",
    "meta:dc.date.publication",
    "meta:dcterms.issued",
    "meta:dcterms.created",
    "meta:dcterms.date",
    "meta:sailthru.date",
    "meta:citation_publication_date",
    "meta:citation_online_date",
    "meta:citation_date",
    "meta:bepress_citation_date",
    "meta:prism.publicationdate",
    "meta:eprints.date",
    "meta:article.published",
    "meta:article_date_original",
    "meta:article:post_date",
    "meta:cxenseparse:recs:publishtime",
    "meta:originalpublicationdate",
    "meta:publication_date",
    "meta:pubdate",
    "meta:publishdate",
    "meta:publish-date",
    "meta:publish_date",
    "meta:published",
    "meta:release_date",
    "meta:og:release_date",
    "meta:date.release",
    "meta:displaydate",
    "meta:dcsext.articlefirstpublished",
    "meta:analyticsattributes.articledate",
    "meta:article.date",
    "meta:search.date",
    "meta:date",
    "meta:wp:date",
    "meta:dcterms.available",
    "meta:dc.date.available",
    "meta:dcterms.datesubmitted",
];
/// The same by the [last part](last_part) of any name: `krn:published_time`, `first-published`.
pub const ANY_PUBLISHED: [&str; 38] = [
    "meta:publishedtime",
    "meta:publishtime",
    "meta:publisheddate",
    "meta:publishdate",
    "meta:publishedat",
    "meta:publishedon",
    "meta:datepublished",
    "meta:publicationdate",
    "meta:publicationtime",
    "meta:pubdate",
    "meta:pubtime",
    "meta:published",
    "meta:firstpublished",
    "meta:articlepublishedtime",
    "meta:mediatorpublishedtime",
    "meta:iso8601publishdate",
    "meta:rbpubdate",
    "meta:dateposted",
    "meta:posteddate",
    "meta:postdate",
    "meta:articledate",
    "meta:articlepublishdate",
    "meta:contentpublishdate",
    "meta:nytpubdate",
    "meta:newsdate",
    "meta:releasedate",
    "meta:issued",
    "meta:articlepublishtime",
    "meta:articlepublicationdate",
    "meta:pbupublicationdate",
    "meta:dateofpublication",
    "meta:fieldnamepostdate",
    "meta:sortdate",
    "meta:twtpublishedat",
    "meta:timepublished",
    "meta:originalpublishdate",
    "meta:originalpublicationdate",
    "meta:posted",
];
/// Dates of creation; used if there is no date of publication.
pub const ANY_CREATED: [&str; 14] = [
    "meta:created",
    "meta:datecreated",
    "meta:createddate",
    "meta:createdat",
    "meta:createat",
    "meta:creationdate",
    "meta:docdate",
    "meta:pdate",
    "meta:ptime",
    "meta:gentime",
    "meta:regdate",
    "meta:createdate",
    "meta:contentcreatedate",
    "meta:datestamp",
];
/// Declarations of the date of the last change, the most reliable first.
pub const MODIFIED: [&str; 9] = [
    "meta:article:modified_time",
    "meta:datemodified",
    "meta:og:updated_time",
    "meta:og:modified_time",
    "meta:dcterms.modified",
    "meta:dc.date.modified",
    "meta:last-modified",
    "meta:lastmod",
    "meta:revised",
];
/// The same by the last part of any name.
pub const ANY_MODIFIED: [&str; 27] = [
    "meta:modifiedtime",
    "meta:modifieddate",
    "meta:datemodified",
    "meta:modified",
    "meta:updatedtime",
    "meta:updateddate",
    "meta:updatedat",
    "meta:dateupdated",
    "meta:updated",
    "meta:lastupdated",
    "meta:lastupdate",
    "meta:lastmodified",
    "meta:lastmodifieddate",
    "meta:lastmod",
    "meta:moddate",
    "meta:modificationdate",
    "meta:revisiondate",
    "meta:postmodified",
    "meta:updatetime",
    "meta:lastupdateddate",
    "meta:lastdate",
    "meta:eomportallastupdate",
    "meta:daterevised",
    "meta:lastedited",
    "meta:utime",
    "meta:modtime",
    "meta:articledateupdated",
];
/// Parts of a page that have their own dates.
const OF_OTHERS: [&str; 9] = [
    "video", "book", "music", "event", "product", "image", "audio", "movie", "comment",
];

/// The last part of the name of a `meta` element without `-` and `_`, as in the lists.
///
/// Example: `publishedtime` for `vr:published_time`; empty for a video, a book or an event.
pub fn last_part(name: &str) -> String {
    let Some(name) = name.strip_prefix("meta:") else {
        return String::new();
    };
    let mut parts = name.rsplit([':', '.']);
    let last = parts.next().unwrap_or_default();
    if parts.any(|part| OF_OTHERS.contains(&part)) {
        return String::new();
    }
    last.chars().filter(|sign| !"-_ ".contains(*sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_last_part() {
        for (name, expected) in [
            ("meta:vr:published_time", "publishedtime"),
            ("meta:publish-date", "publishdate"),
            ("meta:prism.publicationdate", "publicationdate"),
            ("meta:og:video:release_date", ""),
            ("json-ld", ""),
        ] {
            assert_eq!(last_part(name), expected);
        }
    }
}
