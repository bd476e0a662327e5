import { coerceBySchema } from 'tokenweir/schema-coerce'
import { coercionScenario } from '../scenario.mjs'

export const run = () => coercionScenario({ coerceBySchema })
