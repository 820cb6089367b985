const { S3 } = require("@aws-sdk/client-s3");
const s3 = new S3({});

exports.get = async (Key) => (await s3.getObject({ Bucket: "snapfold-uploads", Key })).Body.transformToByteArray();
exports.put = (Key, Body) => s3.putObject({ Bucket: "snapfold-thumbs", Key, Body });
