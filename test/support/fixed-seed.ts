/**
 * Owns the seed of property tests: `npm test` draws the same values on every run, so that a failure is caused by the
 * commit. `npm run test:all` and `npm run soak` draw new ones, and a failure prints its seed.
 */
import fc from 'fast-check'
import { SUITE } from '../suites.mjs'

if (SUITE === 'short') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 })
