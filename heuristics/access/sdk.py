"""Which calls of an SDK need which IAM action, so that code can be asked whether it still uses one."""

import re
from collections.abc import Mapping

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from heuristics.code import Use, uses_of

_ALSO: Mapping[str, str] = {
    "s3:PutObject": "upload_file upload_fileobj upload_from_file copy_object CopyObject multipart_upload create_multipart_upload upload_part ?Upload ?upload",
    "s3:GetObject": "download_file download_fileobj generate_presigned_url getSignedUrl head_object HeadObject headObject copy_object CopyObject ?getObjectStream",
    "s3:DeleteObject": "delete_objects DeleteObjects DeleteObjectsCommand deleteObjects DeleteObjectsRequest",
    "s3:ListBucket": "list_objects list_objects_v2 ListObjects ListObjectsV2 ListObjectsV2Command listObjects listObjectsV2 head_bucket",
    "sqs:SendMessage": "send_message_batch SendMessageBatch SendMessageBatchCommand sendMessageBatch ?send_messages",
    "sqs:ReceiveMessage": "?receive_messages ?SqsListener",
    "sqs:DeleteMessage": "delete_message_batch DeleteMessageBatch DeleteMessageBatchCommand deleteMessageBatch",
    "sns:Publish": "?publish publish_batch PublishBatch PublishCommand PublishBatchCommand ?Publish PublishRequest PublishInput",
    "dynamodb:PutItem": "PutCommand batch_writer TransactWriteItems transact_write_items",
    "dynamodb:GetItem": "GetCommand TransactGetItems transact_get_items",
    "dynamodb:UpdateItem": "UpdateCommand TransactWriteItems transact_write_items",
    "dynamodb:DeleteItem": "DeleteCommand TransactWriteItems transact_write_items",
    "dynamodb:Query": "QueryCommand QueryInput QueryRequest ?query",
    "dynamodb:Scan": "ScanCommand ScanInput ScanRequest ?scan",
    "dynamodb:BatchWriteItem": "batch_writer BatchWriteCommand",
    "dynamodb:BatchGetItem": "BatchGetCommand",
    "lambda:InvokeFunction": "InvokeCommand InvokeRequest InvokeInput ?invoke ?Invoke",
    "kinesis:PutRecord": "put_records PutRecords PutRecordsCommand",
    "kinesis:PutRecords": "put_record PutRecord PutRecordCommand",
    "ses:SendEmail": "SendEmailV2 send_templated_email SendTemplatedEmailCommand",
    "ses:SendRawEmail": "send_raw_email SendRawEmailCommand ?sendMail",
    "ssm:GetParameter": "?get_parameter ?getParameter",
    "ssm:GetParameters": "?get_parameters",
    "secretsmanager:GetSecretValue": "?get_secret_value ?batch_get_secret_value ?get_secret ?getSecret",
    "sts:AssumeRole": "?assume_role fromTemporaryCredentials",
    "rds-db:connect": "generate_db_auth_token getAuthToken BuildAuthToken",
    "events:PutEvents": "?put_events",
    "states:StartExecution": "?start_execution ?startExecution",
    "cloudwatch:PutMetricData": "?put_metric_data",
    "bedrock:InvokeModel": "?invoke_model ?converse InvokeModelCommand ConverseCommand",
}
"""Action → further words than the action's own spellings; one after `?` counts only in files that mention the service."""

IMPLIED = pattern(
    r"(?i)logs:|xray:|ecr:|kms:|ec2:\w*NetworkInterface|iam:PassRole|ssmmessages:|sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes|ChangeMessageVisibility)"
    r"|kinesis:(Get|Describe|List|Subscribe)|dynamodb:(GetRecords|GetShardIterator|DescribeStream|ListStreams)|s3:GetBucketLocation|sts:AssumeRoleWithWebIdentity"
)
"""Actions that a platform needs on the program's behalf, though no line of code names them."""

METRICS: Mapping[str, tuple[str, ...]] = {
    "s3:PutObject": ("PutRequests",),
    "s3:GetObject": ("GetRequests",),
    "s3:DeleteObject": ("DeleteRequests",),
    "s3:ListBucket": ("ListRequests",),
    "sqs:SendMessage": ("NumberOfMessagesSent",),
    "sqs:ReceiveMessage": ("NumberOfMessagesReceived",),
    "sqs:DeleteMessage": ("NumberOfMessagesDeleted",),
    "sns:Publish": ("NumberOfMessagesPublished",),
    "dynamodb:PutItem": ("ConsumedWriteCapacityUnits",),
    "dynamodb:UpdateItem": ("ConsumedWriteCapacityUnits",),
    "dynamodb:GetItem": ("ConsumedReadCapacityUnits",),
    "dynamodb:Query": ("ConsumedReadCapacityUnits",),
    "lambda:InvokeFunction": ("Invocations",),
    "kinesis:PutRecord": ("IncomingRecords",),
    "kinesis:PutRecords": ("IncomingRecords",),
    "ses:SendEmail": ("Send",),
    "ses:SendRawEmail": ("Send",),
    "events:PutEvents": ("PutEventsEntriesCount", "Invocations"),
    "states:StartExecution": ("ExecutionsStarted",),
}
"""The metric of the service that counts an action."""


def known_actions(pattern: str) -> tuple[str, ...]:
    """The actions of this table that a pattern with wildcards allows; a plain action stands for itself."""
    if not re.search(r"[*?]", pattern):
        return (pattern,)
    if pattern.lower().startswith("kms:"):
        return (pattern,)  # no line of code names these: the stores decide
    return tuple(action for action in _ALSO if allows(pattern, action))


def allows(pattern: str, action: str) -> bool:
    """IAM's wildcards: `*` and `?`, without letter case."""
    compiled = "".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern[:200])
    return re.fullmatch(re.sub(r"(\.\*)+", ".*", compiled), action, re.IGNORECASE) is not None


def uses_of_action(tree: SourceTree, action: str) -> tuple[Use, ...]:
    """The calls in production code that need the action."""
    service, _, verb = action.partition(":")
    sure, hinted = spellings_of_action(service, verb)
    found: list[Use] = []
    for word, uses in uses_of(tree, [*sure, *hinted]).items():
        for use in uses:
            if use.how in ("string", "definition"):
                continue
            if word in sure or re.search(_SERVICE_WORDS.get(service, rf"(?i)\b{re.escape(service)}"), tree.text(use.file) or ""):
                found.append(use)
    return tuple(sorted(set(found), key=lambda u: (u.file, u.line)))


def spellings_of_action(service: str, verb: str) -> tuple[frozenset[str], frozenset[str]]:
    """Words that name the action's call for sure, and words that do so beside a mention of the service."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", verb).lower()
    camel = verb[:1].lower() + verb[1:]
    own = {
        f"{verb}Command",
        f"{verb}Request",
        f"{verb}Input",
        f"{verb}Async",
        *({snake, camel, verb} if "_" in snake else set[str]()),
    }
    extra = _ALSO.get(f"{service}:{verb}", "").split()
    sure = own | {word for word in extra if not word.startswith("?")}
    return frozenset(sure), frozenset(word[1:] for word in extra if word.startswith("?"))


_SERVICE_WORDS = {
    "s3": r"(?i)\bs3|bucket|boto3|aws-sdk|@aws-sdk",
    "sns": r"(?i)\bsns|topic_?arn|TopicArn",
    "lambda": r"(?i)client\(.?.?lambda|LambdaClient|lambda\.New|aws-sdk/client-lambda|AWS\.Lambda|FunctionName",
    "dynamodb": r"(?i)dynamo",
    "states": r"(?i)stepfunctions|sfn|state_?machine",
    "events": r"(?i)eventbridge|client\(.?.?events",
}
