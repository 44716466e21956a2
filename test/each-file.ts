/** Before the tests of each file, texts are English. After them, what they made is removed. */
import { beforeAll } from 'vitest';
import { speakLanguage } from '../site/explorer/messages/languages.ts';
import { endFile } from './at-end.ts';

speakLanguage('en');
// What the first hook returns runs last.
beforeAll(() => endFile);
