const app = require("express")();
app.get("/:show.xml", require("./lib/feed"));
app.listen(process.env.PORT || 3000);
