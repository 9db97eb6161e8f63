/** Owns the start of the program for `bin/run.js`, with the copy of oclif that the bundled commands use. */
export { execute } from '@oclif/core'
