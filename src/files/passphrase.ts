/** Owns the source of the passphrase of sealed key files: a flag would show it to every user of the machine. */

/** Environment variable that commands and nodes read it from. */
export const PASSPHRASE_ENV = 'CAUSEWAY_KEY_PASSPHRASE'
