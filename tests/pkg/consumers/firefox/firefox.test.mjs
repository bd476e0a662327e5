// Firefox, without a bundler.
import { testPlainPages } from '../support/plain-tests.mjs'

testPlainPages('firefox')
