/** Owns the queries of assets and of their controls. */

import { byDefinitionQuery } from '../../../api/query-inputs.js'
import { defineQuery } from '../../../model/index.js'
import { ASSET_QUERIES as ID } from './ids.js'
import {
  assetPage,
  assetsQuery,
  controlCheckQuery,
  controlCheck as controlCheckRecord,
  controlPage,
  controlQuery,
  controlsQuery,
  controlView,
  definitionPage,
  definitionsInput,
  definitionView,
  portfolioQuery,
  portfolio as portfolioRecord,
} from './views.js'

export const assetDefinitions = defineQuery(ID.assetDefinitions, 'assetDefinitions', definitionsInput, definitionPage)

export const assetDefinition = defineQuery(ID.assetDefinition, 'assetDefinition', byDefinitionQuery, definitionView)

export const assets = defineQuery(ID.assets, 'assets', assetsQuery, assetPage)

export const portfolio = defineQuery(ID.portfolio, 'portfolio', portfolioQuery, portfolioRecord)

export const control = defineQuery(ID.control, 'control', controlQuery, controlView)
export const controls = defineQuery(ID.controls, 'controls', controlsQuery, controlPage)
export const controlCheck = defineQuery(ID.controlCheck, 'controlCheck', controlCheckQuery, controlCheckRecord)
