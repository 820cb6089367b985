import { Timetable } from "./timetable";
import { vesselLoader } from "./vessels";

export const context = async () => ({ timetable: new Timetable(), vessels: vesselLoader() });
