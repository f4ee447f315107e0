// Runs one OpenSearch node in this process, for the benchmark: `java Search.java FOLDER PORT`. The node stores its data
// in FOLDER.
import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import org.codelibs.opensearch.runner.OpenSearchRunner;

public class Search {
  public static void main(String[] args) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      settings.put("http.port", args[1]);
      settings.put("discovery.type", "single-node");
      // An empty list: the node looks for no other nodes.
      settings.putList("discovery.seed_hosts");
    }).build(newConfigs().basePath(args[0]).numOfNode(1).clusterName("bench").disableESLogger());
    // Yellow: all primary shards are ready; there are no replicas to wait for.
    runner.ensureYellow();
    System.out.println("listening on http://127.0.0.1:" + args[1]);
    Thread.currentThread().join();
  }
}
