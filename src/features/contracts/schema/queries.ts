/** Owns the queries of contracts. */
import type { Page } from '../../../api/paging.js'
import type { Schema } from '../../../codec/index.js'
import { defineQueries } from '../../../model/index.js'
import * as views from './views.js'

export const queries = defineQueries({
  contracts: { id: 710, input: views.instancesQuery, output: views.instancePage },
  contractArtifact: { id: 700, input: views.artifactQuery, output: views.artifactView },
  contractCode: { id: 701, input: views.artifactQuery, output: views.codeView },
  contractInstance: { id: 702, input: views.instanceQuery, output: views.instanceView },
  contractAlias: { id: 709, input: views.aliasQuery, output: views.aliasView },
  contractState: { id: 703, input: views.stateQuery, output: views.statePage as Schema<Page<views.StateItem>> },
  contractView: { id: 704, input: views.trial, output: views.trialResult, isTrial: true },
  contractSimulation: { id: 705, input: views.trial, output: views.simulation, isTrial: true },
  contractEvents: { id: 706, input: views.historyQuery, output: views.eventPage as Schema<Page<views.EventItem>> },
  contractActivity: {
    id: 707,
    input: views.historyQuery,
    output: views.activityPage as Schema<Page<views.ActivityItem>>,
  },
  contractRollups: { id: 708, input: views.rollupQuery, output: views.rollupView },
})
