// contact
