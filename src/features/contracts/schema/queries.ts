import { defineQueries } from '../../../model/index.js'
import * as views from './views.js'

export const queries = defineQueries({
  contracts: { id: 710, input: views.instancesQuery, output: views.instancePage },
  contractArtifact: { id: 700, input: views.artifactQuery, output: views.artifactView },
  contractCode: { id: 701, input: views.artifactQuery, output: views.codeView },
  contractInstance: { id: 702, input: views.instanceQuery, output: views.instanceView },
  contractAlias: { id: 709, input: views.aliasQuery, output: views.aliasView },
  contractState: { id: 703, input: views.stateQuery, output: views.statePage },
  contractView: { id: 704, input: views.trial, output: views.trialResult, isTrial: true },
  contractSimulation: { id: 705, input: views.trial, output: views.simulation, isTrial: true },
  contractEvents: { id: 706, input: views.historyQuery, output: views.eventPage },
  contractActivity: {
    id: 707,
    input: views.historyQuery,
    output: views.activityPage,
  },
  contractRollups: { id: 708, input: views.rollupQuery, output: views.rollupView },
})
