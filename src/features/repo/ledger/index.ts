/** Execution of repos (docs/concepts/repo.md). */
import { defineLedger } from '../../../executor/feature.js'
import { repoSchema } from '../schema/index.js'
import { CAN_MANAGE_CALENDARS, setBusinessCalendar } from './calendars.js'
import { closeOutRepo, defaultRepo } from './default.js'
import { repoIndexes } from './indexes.js'
import { callMargin, meetMargin, takeExcess } from './margin.js'
import { maturityRun, repurchaseRepo } from './maturity.js'
import { openRun } from './opening.js'
import { postRepoPrice } from './prices.js'
import { consentRepo, proposeRepo, withdrawRepo } from './proposals.js'
import * as queries from './queries.js'
import { REPO_TABLE_LIST } from './tables.js'

export const repoLedger = defineLedger(repoSchema, {
  tables: REPO_TABLE_LIST,
  execute: {
    setBusinessCalendar,
    postRepoPrice,
    proposeRepo,
    withdrawRepo,
    consentRepo,
    callMargin,
    meetMargin,
    takeExcess,
    repurchaseRepo,
    defaultRepo,
    closeOutRepo,
  },
  queries: {
    repo: queries.repoQuery,
    repos: queries.reposQuery,
    repoExposure: queries.exposureQuery,
    repoHistory: queries.historyQuery,
    repoPrices: queries.pricesQuery,
    businessCalendar: queries.calendarQuery,
  },
  permissions: [CAN_MANAGE_CALENDARS],
  scheduled: [openRun, maturityRun],
  indexes: repoIndexes,
})
