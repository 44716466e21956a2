/** Before the tests of each file: texts are English unless a tree says otherwise. After them: what they made goes. */
import { beforeAll } from 'vitest';
import { speakLanguage } from '../site/explorer/messages/languages.ts';
import { endFile } from './at-end.ts';

speakLanguage('en');
// What the first hook returns runs last, after all that a file has for its end.
beforeAll(() => endFile);
