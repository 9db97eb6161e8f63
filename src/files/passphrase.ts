/** Owns the source of the passphrase of sealed key files: a flag would show it to every user of the machine. */

/** Environment variable that commands and nodes read it from. */
export const PASSPHRASE_ENV = 'CAUSEWAY_KEY_PASSPHRASE'
/** Variable for the passphrase of a share, followed by its number. */
export const SHARE_PASSPHRASE_ENV = 'CAUSEWAY_SHARE_PASSPHRASE_'
