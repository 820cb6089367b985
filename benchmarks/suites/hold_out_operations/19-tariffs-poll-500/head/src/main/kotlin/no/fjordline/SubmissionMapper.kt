package no.fjordline

data class Submission(val reference: String, val xml: String)

class SubmissionMapper {
    fun read(body: String): Submission = body.split('|', limit = 2).let { Submission(it[0], it[1]) }
}
