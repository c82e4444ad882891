// cloth
