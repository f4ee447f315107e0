// One OpenSearch node in this process: `java Search.java FOLDER PORT`.
import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import org.codelibs.opensearch.runner.OpenSearchRunner;

public class Search {
  public static void main(String[] args) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((number, settings) -> {
      settings.put("http.port", args[1]);
      settings.put("discovery.type", "single-node");
      // The node looks for no others.
      settings.putList("discovery.seed_hosts");
    }).build(newConfigs().basePath(args[0]).numOfNode(1).clusterName("bench").disableESLogger());
    // Yellow: the node can be used, and no replica is needed.
    runner.ensureYellow();
    System.out.println("listening on http://127.0.0.1:" + args[1]);
    Thread.currentThread().join();
  }
}
