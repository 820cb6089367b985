const { Router } = require("express");
const { workbookFor } = require("../workbook");

const router = Router();

// whole register of one municipality, answers once the file is complete
router.get("/register/:municipality.xlsx", async (req, res) => {
  const file = await workbookFor(req.params.municipality);
  res.type("xlsx").send(file);
});

module.exports = router;
