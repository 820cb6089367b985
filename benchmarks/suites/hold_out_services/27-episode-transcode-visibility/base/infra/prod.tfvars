# seconds
job_visibility = 900
tasks          = 6
