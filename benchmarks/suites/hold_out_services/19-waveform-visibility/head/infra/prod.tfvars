# seconds
job_visibility = 120
tasks          = 6
