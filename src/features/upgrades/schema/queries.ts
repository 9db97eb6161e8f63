/** Owns the query of upgrades. */
import { struct } from '../../../codec/index.js'
import { defineQueries } from '../../../model/index.js'
import { upgradeList } from './views.js'

const upgradesInput_ = struct('UpgradesQuery', {})

export const queries = defineQueries({
  upgrades: { id: 80, input: upgradesInput_, output: upgradeList },
})
