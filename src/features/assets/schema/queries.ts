/** Owns the queries of assets and of their controls. */

import { byDefinitionQuery } from '../../../api/query-inputs.js'
import { defineQueries } from '../../../model/index.js'
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

export const queries = defineQueries({
  assetDefinitions: { id: 2, input: definitionsInput, output: definitionPage },
  assetDefinition: { id: 61, input: byDefinitionQuery, output: definitionView },
  assets: { id: 63, input: assetsQuery, output: assetPage },
  portfolio: { id: 64, input: portfolioQuery, output: portfolioRecord },
  control: { id: 15, input: controlQuery, output: controlView },
  controls: { id: 16, input: controlsQuery, output: controlPage },
  controlCheck: { id: 17, input: controlCheckQuery, output: controlCheckRecord },
})
