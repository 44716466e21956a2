import { employment } from './census/employment.ts';
import type { SampleDataset } from './dataset.ts';
import { attendance } from './education/attendance.ts';
import { ccrpiGraduationRate } from './education/ccrpi-graduation-rate.ts';
import { iceArrests } from './immigration/ice-arrests.ts';

export const datasets: readonly SampleDataset[] = [employment, attendance, ccrpiGraduationRate, iceArrests];
