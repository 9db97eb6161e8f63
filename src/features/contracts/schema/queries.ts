/** Owns the queries of contracts. */
import type { Page } from '../../../api/paging.js'
import type { Schema } from '../../../codec/index.js'
import { defineQuery, trialQuery } from '../../../model/index.js'
import { CONTRACT_QUERIES as ID } from './ids.js'
import * as views from './views.js'

export const contracts = defineQuery(ID.contracts, 'contracts', views.instancesQuery, views.instancePage)
export const contractArtifact = defineQuery(
  ID.contractArtifact,
  'contractArtifact',
  views.artifactQuery,
  views.artifactView,
)
export const contractCode = defineQuery(ID.contractCode, 'contractCode', views.artifactQuery, views.codeView)
export const contractInstance = defineQuery(
  ID.contractInstance,
  'contractInstance',
  views.instanceQuery,
  views.instanceView,
)
export const contractAlias = defineQuery(ID.contractAlias, 'contractAlias', views.aliasQuery, views.aliasView)
export const contractState = defineQuery(
  ID.contractState,
  'contractState',
  views.stateQuery,
  views.statePage as Schema<Page<views.StateItem>>,
)
export const contractView = trialQuery(defineQuery(ID.contractView, 'contractView', views.trial, views.trialResult))
export const contractSimulation = trialQuery(
  defineQuery(ID.contractSimulation, 'contractSimulation', views.trial, views.simulation),
)
export const contractEvents = defineQuery(
  ID.contractEvents,
  'contractEvents',
  views.historyQuery,
  views.eventPage as Schema<Page<views.EventItem>>,
)
export const contractActivity = defineQuery(
  ID.contractActivity,
  'contractActivity',
  views.historyQuery,
  views.activityPage as Schema<Page<views.ActivityItem>>,
)
export const contractRollups = defineQuery(ID.contractRollups, 'contractRollups', views.rollupQuery, views.rollupView)
