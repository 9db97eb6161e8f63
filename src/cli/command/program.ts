/** Owns the start of the program for `bin/run.js`: with the copy of oclif that the commands of the bundle use. */
export { execute } from '@oclif/core'
