/** Before the tests of each file: texts are English unless a tree says otherwise. After them: what they made goes. */
import { afterAll } from 'vitest';
import { speakLanguage } from '../site/explorer/messages/languages.ts';
import { endFile } from './at-end.ts';

speakLanguage('en');
afterAll(endFile);
