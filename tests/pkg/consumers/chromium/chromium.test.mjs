// Chromium, without a bundler.
import { testPlainPages } from '../support/plain-tests.mjs'

testPlainPages('chromium')
