// The program of a page without a bundler.
import { runEntry } from '../../scenario/imports.mjs'
import { report } from './report.mjs'

report(runEntry)
