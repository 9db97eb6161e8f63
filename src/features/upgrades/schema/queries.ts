/** Owns the query of upgrades. */
import { struct } from '../../../codec/index.js'
import { defineQuery } from '../../../model/index.js'
import { UPGRADE_QUERIES as ID } from './ids.js'
import { upgradeList } from './views.js'

const upgradesInput_ = struct('UpgradesQuery', {})

export const upgrades = defineQuery(ID.upgrades, 'upgrades', upgradesInput_, upgradeList)
