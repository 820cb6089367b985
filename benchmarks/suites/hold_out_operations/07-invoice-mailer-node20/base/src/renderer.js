const Handlebars = require("handlebars");

const template = Handlebars.compile("<h1>Invoice {{number}}</h1><p>{{total}}</p>");

exports.handler = async (event) => ({ ...event, html: template(event) });
