/**
 * Owns the source of the passphrase of sealed key files: an environment variable, since a flag would be visible to
 * every user of the machine.
 */

/** Environment variable with the passphrase, for commands and nodes. */
export const PASSPHRASE_ENV = 'CAUSEWAY_KEY_PASSPHRASE'
/** Variable for the passphrase of a share, followed by its number. */
export const SHARE_PASSPHRASE_ENV = 'CAUSEWAY_SHARE_PASSPHRASE_'
