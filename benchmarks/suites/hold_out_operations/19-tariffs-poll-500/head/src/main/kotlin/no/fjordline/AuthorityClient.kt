package no.fjordline

import org.springframework.stereotype.Component
import org.springframework.web.client.RestClient

@Component
class AuthorityClient {
    private val http = RestClient.create(System.getenv("AUTHORITY_URL"))

    fun submit(s: Submission) {
        http.post().uri("/v2/submissions/{ref}", s.reference).body(s.xml).retrieve().toBodilessEntity()
    }
}
