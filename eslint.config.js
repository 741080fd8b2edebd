import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  globalIgnores(['dist', 'docs/api', 'coverage', 'chaos-results', 'test/package/consumers']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: { allowDefaultProject: ['*.config.js', 'scripts/*.js'] } },
    },
    rules: {
      'no-unused-private-class-members': 'off', // does not know `??=`; the compiler does
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A promise that no code waits for is marked with `void`, and says why it may be.
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-invalid-void-type': 'off', // a promise of nothing is written so
    },
  },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off', // vitest's matchers inside expected objects are `any`
    },
  },
  { files: ['*.config.js', 'scripts/*.js'], extends: [tseslint.configs.disableTypeChecked] },
)
