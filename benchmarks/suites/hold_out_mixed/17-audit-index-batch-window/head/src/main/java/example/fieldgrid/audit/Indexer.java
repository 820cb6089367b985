package example.fieldgrid.audit;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import java.util.ArrayList;
import java.util.List;

public class Indexer implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private final Bulk bulk = new Bulk();

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
        List<SQSBatchResponse.BatchItemFailure> failed = new ArrayList<>();
        for (SQSEvent.SQSMessage m : event.getRecords()) {
            if (!bulk.add(m.getBody())) {
                failed.add(new SQSBatchResponse.BatchItemFailure(m.getMessageId()));
            }
        }
        bulk.flush();
        return new SQSBatchResponse(failed);
    }
}
