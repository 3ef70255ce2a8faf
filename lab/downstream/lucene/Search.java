// Build one index a variant and look every query up in it; run as `java -cp JARS Search.java FOLDER ROUNDS`.
//
// FOLDER/documents/VARIANT.tsv has lines ID<tab>TEXT, FOLDER/queries.tsv lines ID<tab>TEXT, where ID is the
// document that is looked for. Writes FOLDER/ranks.tsv (VARIANT, SIMILARITY, number of the query, rank of the
// document or 0 when it is not among the first 1000) and FOLDER/costs.tsv (VARIANT, bytes of the index, then
// CPU nanoseconds of ROUNDS builds and of as many runs of 10,000 queries, the variants taking turns).

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

final class Search {
    private static final int DEPTH = 1000;
    private static final int TIMED_QUERIES = 10_000;
    private static final float MU = 2000;

    private record Line(String id, String text) {}

    private static final class Costs {
        long bytes;
        final List<Long> buildNanos = new ArrayList<>();
        final List<Long> searchNanos = new ArrayList<>();
    }

    private Search() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        Analyzer analyzer = new StandardAnalyzer();
        Map<String, List<Line>> variants = new TreeMap<>();
        try (var files = Files.newDirectoryStream(folder.resolve("documents"), "*.tsv")) {
            for (Path file : files) {
                variants.put(file.getFileName().toString().replace(".tsv", ""), lines(file));
            }
        }
        List<Line> wanted = lines(folder.resolve("queries.tsv"));
        List<Query> queries = new ArrayList<>();
        for (Line line : wanted) {
            queries.add(query(analyzer, line.text()));
        }
        Map<String, Costs> costs = new TreeMap<>();
        try (PrintWriter ranks = new PrintWriter(Files.newBufferedWriter(folder.resolve("ranks.tsv")))) {
            for (int round = 0; round < rounds; round++) {
                for (var variant : variants.entrySet()) {
                    Costs cost = costs.computeIfAbsent(variant.getKey(), name -> new Costs());
                    long start = cpu();
                    ByteBuffersDirectory index = build(analyzer, variant.getValue());
                    cost.buildNanos.add(cpu() - start);
                    cost.bytes = size(index);
                    try (DirectoryReader reader = DirectoryReader.open(index)) {
                        if (round == 0) {
                            write(ranks, variant.getKey(), "dirichlet", ranks(reader, new LMDirichletSimilarity(MU), queries, wanted));
                            write(ranks, variant.getKey(), "bm25", ranks(reader, new BM25Similarity(), queries, wanted));
                        }
                        cost.searchNanos.add(timed(reader, queries));
                    }
                }
            }
        }
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve("costs.tsv")))) {
            costs.forEach((name, cost) -> out.println(name + "\t" + cost.bytes + "\t" + joined(cost.buildNanos) + "\t" + joined(cost.searchNanos)));
        }
    }

    private static List<Line> lines(Path file) throws IOException {
        List<Line> found = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            int tab = line.indexOf('\t');
            found.add(new Line(line.substring(0, tab), line.substring(tab + 1)));
        }
        return found;
    }

    private static ByteBuffersDirectory build(Analyzer analyzer, List<Line> documents) throws IOException {
        ByteBuffersDirectory index = new ByteBuffersDirectory();
        IndexWriterConfig config = new IndexWriterConfig(analyzer);
        config.setMergeScheduler(new SerialMergeScheduler()); // all work in this thread, whose CPU is measured
        try (IndexWriter writer = new IndexWriter(index, config)) {
            for (Line line : documents) {
                Document document = new Document();
                document.add(new StoredField("id", line.id()));
                document.add(new TextField("text", line.text(), Field.Store.NO));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        return index;
    }

    private static Query query(Analyzer analyzer, String text) throws IOException {
        Map<String, Integer> counts = new LinkedHashMap<>();
        try (TokenStream tokens = analyzer.tokenStream("text", text)) {
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            tokens.reset();
            while (tokens.incrementToken()) {
                counts.merge(term.toString(), 1, Integer::sum);
            }
            tokens.end();
        }
        BooleanQuery.Builder words = new BooleanQuery.Builder();
        counts.forEach((word, count) -> words.add(new BoostQuery(new TermQuery(new Term("text", word)), count), BooleanClause.Occur.SHOULD));
        return words.build();
    }

    private static int[] ranks(DirectoryReader reader, Similarity similarity, List<Query> queries, List<Line> wanted) throws IOException {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(similarity);
        StoredFields stored = searcher.storedFields();
        int[] ranks = new int[queries.size()];
        for (int number = 0; number < ranks.length; number++) {
            ScoreDoc[] hits = searcher.search(queries.get(number), DEPTH).scoreDocs;
            for (int place = 0; place < hits.length && ranks[number] == 0; place++) {
                if (stored.document(hits[place].doc).get("id").equals(wanted.get(number).id())) {
                    ranks[number] = place + 1;
                }
            }
        }
        return ranks;
    }

    private static long timed(DirectoryReader reader, List<Query> queries) throws IOException {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        searcher.setSimilarity(new LMDirichletSimilarity(MU));
        long start = cpu();
        for (int number = 0; number < TIMED_QUERIES; number++) {
            searcher.search(queries.get(number % queries.size()), DEPTH);
        }
        return cpu() - start;
    }

    private static long size(ByteBuffersDirectory index) throws IOException {
        long bytes = 0;
        for (String file : index.listAll()) {
            bytes += index.fileLength(file);
        }
        return bytes;
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void write(PrintWriter out, String variant, String similarity, int[] ranks) {
        for (int number = 0; number < ranks.length; number++) {
            out.println(variant + "\t" + similarity + "\t" + number + "\t" + ranks[number]);
        }
    }

    private static String joined(List<Long> nanos) {
        return String.join(",", nanos.stream().map(String::valueOf).toList());
    }
}
